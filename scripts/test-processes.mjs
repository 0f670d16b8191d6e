// Which test files share a process. To start one and to load the service into it takes longer than most files take for
// their tests: the 1,800 tests of the pure parts took 39 s of a processor with a process for each file, and 14 s in one.

/**
 * Whoever loads hundreds of files and makes megabytes for each test has other needs than the service, which is kept small.
 * With its flags, processes of tests took some 5 % more of a processor, measured on a busy machine. Garbage is collected by
 * the thread that made it: all cores are busy, and threads that help each other took a tenth more.
 */
export const testProcessFlags = [
  '--min-semi-space-size=64',
  '--max-semi-space-size=64',
  '--single-threaded-gc'
]

const ownDatabase = /\bplayOnPostgres\(|\bownPostgres\(/

/**
 * The first that fits is what a file is. Whoever fits nowhere needs this process and nothing else.
 * @type {{ kind: string, path?: RegExp, text?: RegExp }[]}
 */
const kinds = [
  { kind: 'browser', path: /^test\/browser\// },
  // Of one thread, and a quarter of all stories: behind each other they are what the end waits for.
  { kind: 'growth', path: /^test\/growth\.test\.ts$/ },
  // These change what every test of their process stands on, or stop it.
  { kind: 'alone', text: ownDatabase },
  { kind: 'postgres', text: /\bsharedPostgres\(/ },
  // These wait for the processes that they start for most of their time. Each in a process of its own would load the
  // service anew, 0.7 s of a processor.
  { kind: 'children', text: /child-service|millrace-command|node:child_process|bench\/drill|release\/git/ },
  { kind: 'stories', path: /^test\// },
  { kind: 'units', path: /./ }
]

/**
 * The processes of a test run. What takes longest begins first, so that the end finds all cores busy.
 * @param {readonly { path: string, text: string }[]} files paths from the root, with slashes
 * @param {number} cores
 * @returns {{ name: string, paths: string[] }[]}
 */
export function planProcesses(files, cores) {
  const of = (kind) => files.filter((file) => kindOf(file) === kind)
  const shared = lanesOf(cores).flatMap(({ kind, lanes }) =>
    spread(of(kind), lanes).map((part, index) => group(`${kind}-${index + 1}`, part))
  )
  const alone = longestFirst(of('alone')).map((file) => group(file.path, [file]))
  return [...shared, ...alone].filter(({ paths }) => paths.length > 0)
}

/** How many processes share the files of a kind. One for all stories was what the end waited for. */
const lanesOf = (cores) => [
  { kind: 'browser', lanes: cores },
  { kind: 'postgres', lanes: 1 },
  { kind: 'stories', lanes: cores },
  { kind: 'units', lanes: 1 },
  { kind: 'growth', lanes: 1 },
  { kind: 'children', lanes: cores }
]

/**
 * All that share files. With two more, what asks a database in many short turns waited for a core at each: 3 s of simulation
 * took more than 120. Fewer left a quarter of two cores idle.
 */
export const processesAtOnce = (cores) => lanesOf(cores).reduce((sum, { lanes }) => sum + lanes, 0)

function kindOf({ path, text }) {
  return kinds.find((kind) => kind.path?.test(path) || kind.text?.test(text)).kind
}

/** What brings a database of its own takes longer than its length tells. */
function longestFirst(files) {
  const [withDatabase, others] = [[], []]
  for (const file of files.toSorted((a, b) => b.text.length - a.text.length))
    (ownDatabase.test(file.text) ? withDatabase : others).push(file)
  return [...withDatabase, ...others]
}

function group(name, files) {
  return { name, paths: files.map(({ path }) => path) }
}

/** Each file to whoever has least so far, the longest ones first. */
function spread(files, lanes) {
  if (lanes === 1) return [files]
  const parts = Array.from({ length: lanes }, () => ({ weight: 0, files: [] }))
  for (const file of longestFirst(files)) {
    const lightest = parts.reduce((a, b) => (b.weight < a.weight ? b : a))
    lightest.weight += file.text.length
    lightest.files.push(file)
  }
  return parts.map((part) => part.files)
}
