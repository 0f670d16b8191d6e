// What the parts of `npm test` may take of the processors, in seconds, on a machine that does nothing else: together 8
// minutes of two cores. The table at its end marks with "!" what takes more. On a busy machine all take up to half as much
// again. Whoever adds to a part that is at its budget finds what can go down a level there, or be told together.

const budgets = {
  Install: 40,
  'Install for tests': 20,
  Page: 10,
  'Service for tests': 3,
  'Compile cache': 4,
  'Compile cache of the tests': 4,
  'Lint and format': 16,
  Types: 12,
  'Types of the page': 6,
  'Types of the browser tests': 6,
  All: 930
}

/** Of each process that shares files of a kind; some kinds have two of them on two cores. */
const shared = { browser: 160, postgres: 110, stories: 70, growth: 60, units: 90, children: 80 }
/** Of a process that has a file of its own. */
const ALONE = 20

/** @param {string} title of a part of `npm test` */
export function budgetOf(title) {
  if (Object.hasOwn(budgets, title)) return budgets[title]
  if (!title.startsWith('Tests: ')) return undefined
  return shared[/^Tests: ([a-z]+)-\d+$/.exec(title)?.[1]] ?? ALONE
}
