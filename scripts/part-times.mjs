// How long the parts of `npm test` take, and how much of the processors. Each process that is a part notes its own at its
// end, in the file that the variable names; the one that began them all tells.
import { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { budgetOf } from './part-budgets.mjs'
import { run } from './run-command.mjs'

const timesVariable = 'MILLRACE_TEST_TIMES'

/** Of Linux, on every machine that Node runs on. */
const TICKS_PER_SECOND = 100

/** What those took whom nobody waited for. */
let uncounted = 0

/**
 * Seconds of processors that this process has taken, with all that it has started and that has ended. Only Linux tells
 * those of others: elsewhere it is this process alone.
 */
function processorSeconds() {
  try {
    return secondsOf('self').all + uncounted
  } catch {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  }
}

/** Of a process and of the children that it has waited for. */
function secondsOf(id) {
  // What follows the name, which may hold spaces: the parent is number 4 of all, the times are 14 to 17.
  const fields = readFileSync(`/proc/${id}/stat`, 'utf8').split(') ').at(-1).split(' ')
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
  return { parent: Number(fields[1]), all: ticks / TICKS_PER_SECOND }
}

/**
 * Ends what this process has started, a browser for instance, whose own children outlive it by a moment: Linux counts
 * nothing for whoever was not waited for.
 * @param {() => Promise<void>} end
 */
export async function endAndCount(end) {
  const before = secondsOfAllAlive()
  await end()
  uncounted += Math.max(0, before - secondsOfAllAlive())
}

/** Of this process and of all below it that are alive, with whom they have waited for. */
function secondsOfAllAlive() {
  if (process.platform !== 'linux') return 0
  const found = new Map()
  for (const name of readdirSync('/proc')) {
    try {
      if (/^\d+$/.test(name)) found.set(Number(name), secondsOf(name))
    } catch {
      // It has ended meanwhile.
    }
  }
  const isBelow = (id) => id === process.pid || (found.has(id) && isBelow(found.get(id).parent))
  const alive = [...found].filter(([id]) => isBelow(id))
  return alive.reduce((sum, [, { all }]) => sum + all, 0)
}

/** From now on parts are noted; at the end of this process, however it ends, it tells them. */
export function tellPartsAtTheEnd() {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-times-'))
  const file = join(folder, 'parts')
  process.env[timesVariable] = file
  process.once('exit', () => {
    const parts = readParts(file)
    rmSync(folder, { recursive: true, force: true })
    if (parts.length > 0) console.log(`\n${tableOf(parts, process.uptime())}`)
  })
}

const timedPart = fileURLToPath(new URL('timed-part.mjs', import.meta.url))

/** What runs a command, as `run` does, as a part that others may run beside. */
export function asPart(title) {
  return (command, args, options) => run(process.execPath, [timedPart, title, command, ...args], options)
}

/** This process is a part, from its start to its end. */
export function noteThisProcess(title) {
  const file = process.env[timesVariable]
  if (file) process.once('exit', () => notePart(file, title, process.uptime(), processorSeconds()))
}

function notePart(file, title, seconds, processors) {
  if (!file) return
  try {
    appendFileSync(file, `${JSON.stringify({ title, seconds, processors })}\n`)
  } catch {
    // A full disk, or a folder that is gone: what is tested does not fail for it.
  }
}

/** The parts that are noted in a file, in the order in which they ended. */
function readParts(file) {
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line))
}

/**
 * @param {readonly { title: string, seconds: number, processors: number }[]} parts
 * @param {number} seconds from the beginning to the end: parts run side by side
 */
export function tableOf(parts, seconds) {
  const dearestFirst = parts.toSorted((a, b) => b.processors - a.processors)
  const sum = parts.reduce((total, { processors }) => total + processors, 0)
  const rows = [...dearestFirst, { title: 'All', seconds, processors: sum }].map((part) => [
    part.title,
    part.seconds.toFixed(1),
    part.processors.toFixed(1),
    told(budgetOf(part.title), part.processors)
  ])
  const all = [['Part', 'Seconds', 'of processors', 'budget'], ...rows]
  const widths = [0, 1, 2, 3].map((column) => Math.max(...all.map((row) => row[column].length)))
  return all
    .map(([title, ...numbers]) => {
      const cells = numbers.map((number, index) => number.padStart(widths[index + 1]))
      return [title.padEnd(widths[0]), ...cells].join('  ').trimEnd()
    })
    .join('\n')
}

function told(budget, processors) {
  if (budget === undefined) return ''
  return processors > budget ? `${budget} !` : `${budget}  `
}
