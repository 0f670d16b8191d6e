/** In a file of its own: the canvas draws them, and has no use for the schema of the document. */
export const NOTE_COLOURS = ['yellow', 'green', 'blue', 'purple', 'red', 'grey'] as const
