// Formulas between dollar signs, in all kinds of text. As in Pandoc there is no space within the signs and no digit after the
// last one, so that prices stay prices.

/** Its group is the formula. */
export const inDollars = /\$(?!\s)([^$`]+)(?<![\s\\])\$(?!\d)/;
