export const DELIMITERS = { auto: undefined, ',': ',', ';': ';', tab: '\t', '|': '|' } as const

/** What CSV is read and written by. */
export const CSV_FIELDS = {
  delimiter: {
    kind: 'choice',
    title: 'Delimiter',
    help: 'auto: as a first line such as sep=; says, else the one that the first line has most of; a comma where CSV is written.',
    choices: ['auto', ',', ';', 'tab', '|'],
    default: 'auto'
  },
  header: { kind: 'boolean', title: 'The first line names the columns', default: true },
  typed: {
    kind: 'boolean',
    title: 'Read numbers',
    help: 'Cells such as 12.50 become numbers, with every digit, and empty ones null; 007 stays text. Off: all cells are texts.',
    default: true,
    hidden: true
  },
  uneven: {
    kind: 'boolean',
    title: 'Allow uneven rows',
    help: 'Rows may have fewer or more cells than the first line.',
    hidden: true
  },
  bom: {
    kind: 'boolean',
    title: 'Mark as UTF-8',
    help: 'For Excel, which otherwise misreads letters such as é.',
    hidden: true
  }
} as const
