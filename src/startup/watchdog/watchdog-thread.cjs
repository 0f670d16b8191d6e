/**
 * The thread beside the service's own: see watchdog.ts. Plain JavaScript, since what strips types would take 8 MB of
 * memory in this thread as well. It loads next to nothing until it has something to do: not even what loads ES modules, which
 * takes 1 MB.
 */
const { readFileSync, writeSync } = require('node:fs')
const { workerData } = require('node:worker_threads')
const { HangDetector } = require('./hang-detector.cjs')

const { memory, places, hangMs, stopMs, noteMs, store, isSilent, noteModule } = workerData
const ints = new Int32Array(memory.ints)
const runs = new Float64Array(memory.runs)

const POLL_MS = Math.min(500, hangMs / 4 || 500)
const NOTE_WITHIN_MS = { hangs: noteMs, 'stops too slowly': 200 }
const WORDS = {
  hangs: 'did not answer any more',
  'stops too slowly': 'did not stop in time'
}

// On a busy machine a look may be late by two seconds.
const limits = { hangMs, stopMs, mostBetweenLooksMs: 6 * POLL_MS }
const detector = new HangDetector(limits, readThreadTimes)
let notes

watch()

async function watch() {
  for (;;) {
    Atomics.wait(ints, places.stopping, ints[places.stopping], POLL_MS)
    const verdict = detector.look({
      at: performance.now(),
      beats: Atomics.load(ints, places.beats),
      isComputingStep: ints[places.computing] !== 0,
      isReady: ints[places.ready] !== 0,
      isStopping: ints[places.stopping] !== 0,
      isDebugged: ints[places.debugged] !== 0
    })
    // Time is short when it is needed.
    if (verdict === 'may hang') await within(POLL_MS, loadNotes())
    else if (verdict !== 'lives') await end(verdict)
  }
}

/** Linux tells for each thread what it used, and for how long it was kept waiting; the first has the process's number. */
function readThreadTimes() {
  try {
    const [used, queued] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')
    return { usedMs: used / 1e6, queuedMs: queued / 1e6 }
  } catch {
    const { user, system } = process.cpuUsage()
    return { usedMs: (user + system) / 1e3, queuedMs: 0 }
  }
}

function loadNotes() {
  notes ??= import(noteModule)
  return notes
}

async function end(verdict) {
  const limit = NOTE_WITHIN_MS[verdict]
  const held = heldBy()
  const step = held === undefined ? undefined : await within(limit, note(held, limit))
  if (!isSilent) tell(verdict, step)
  process.kill(process.pid, 'SIGKILL')
  await within(60_000, new Promise(() => {}))
}

/** The step that is computed at this moment or, where it is the only one that is under way, the one that waits. */
function heldBy() {
  if (detector.silentMs < POLL_MS) return undefined
  if (ints[places.computing] !== 0) return { seq: runs[0], index: ints[places.computing] - 1 }
  return ints[places.pending] === 0 ? undefined : { seq: runs[1], index: ints[places.pending] - 1 }
}

async function note(held, timeout) {
  const { noteHungStep } = await loadNotes()
  return noteHungStep(store, held, timeout)
}

function tell(verdict, step) {
  const seconds = (detector.silentMs / 1000).toFixed(1)
  const where =
    step === undefined ? '' : ` Step ${step.node} of run ${step.run_id} held its thread for ${seconds} s.`
  const line = {
    level: 60,
    time: Date.now(),
    ...step,
    silent_ms: Math.round(detector.silentMs),
    msg: `Millrace ${WORDS[verdict]}, so its process is ended.${where} What was accepted is taken up by the next start.`
  }
  try {
    writeSync(2, `${JSON.stringify(line)}\n`)
  } catch {}
}

/** What the promise gives, or undefined if it fails or takes longer. */
function within(ms, promise) {
  const timeout = new Promise((resolve) => setTimeout(resolve, ms))
  return Promise.race([promise.catch(() => {}), timeout])
}
