// Modules that the build makes from the scene files: plugins/scenes.ts.
declare module 'virtual:scene-names' {
  /** Names of the gallery's scenes. */
  export const names: string[];
  /** Of their texts. */
  export const version: string;
}

declare module 'virtual:scene-index' {
  export const index: import('./scenes/describe').Entry[];
}
