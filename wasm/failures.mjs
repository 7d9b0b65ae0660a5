// Failures that the C++ facade returns as values become Errors with `code` and, for a bad scene, `problems`, for a run that gave up, `repeats`.

/** What the facade returned, or the Error that it describes. */
export function unwrap(result) {
  if (result === null || typeof result !== 'object' || result.failure !== true) return result;
  const error = new Error(result.message);
  error.code = result.code;
  if (result.problems) error.problems = result.problems;
  if (result.repeats) error.repeats = result.repeats;
  throw error;
}
