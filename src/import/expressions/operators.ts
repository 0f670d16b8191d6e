/** How tight they bind; a conditional and an arrow are read apart. */
export const BINARY: Readonly<Record<string, number>> = {
  '??': 1,
  '||': 1,
  '&&': 2,
  '|': 3,
  '^': 4,
  '&': 5,
  '==': 6,
  '!=': 6,
  '===': 6,
  '!==': 6,
  '<': 7,
  '>': 7,
  '<=': 7,
  '>=': 7,
  in: 7,
  instanceof: 7,
  '<<': 8,
  '>>': 8,
  '>>>': 8,
  '+': 9,
  '-': 9,
  '*': 10,
  '/': 10,
  '%': 10,
  '**': 11
}
export const PREFIXES = new Set(['!', '-', '+', '~', 'typeof', 'void', 'await', '++', '--'])
export const LITERALS: Readonly<Record<string, boolean | null | undefined>> = {
  true: true,
  false: false,
  null: null,
  undefined: undefined
}
