import { createHash } from 'node:crypto'
import { EvalFlags, JSException, QuickJS } from 'quickjs-wasi'
import { guest } from './guest.js'
import { hostCalls } from './host-calls.js'
import { OwnTime } from './own-time.js'
import { CodeSyntaxError, stripTypes } from './strip-types.js'
import { webGuest } from './web-guest.js'

/** Half of what the engine has: recursion ends as an error inside, and never in the engine itself. */
const STACK_BYTES = 256 * 1024
/** After its time is over: to hand out what it has logged. */
const LAST_WORDS_MS = 50
/** An error number of WASI: there is no such file. */
const NO_FILE = 8

const FILE = 'code'
/** What code inside may call of ours, by way of web-guest.js. */
const HOST = 'host'
/** The line before the first one of people's code. */
const HEAD = '(async function (data) {\n'
/** The same as a statement. */
const STATEMENT = 'async function code(data) {\n'
const CLOSED_TWICE = 'A bracket is closed that was never opened'
const PLACE = new RegExp(`\\b${FILE}:(\\d+):(\\d+)`)

const MEMORY_ERRORS = /^(?:out of memory|string too long|invalid (?:array buffer|string) length)/

/**
 * One JavaScript engine with a memory of its own. All that it knows is in that memory, so a copy of it from before the
 * first step, written over what a step has left, is a fresh engine: 0.1 ms in place of the 1.5 that another one takes.
 */
export class VirtualMachine {
  #options
  #snapshot
  #tokens
  #vm
  #memory
  #isUsed = false
  #now = 0
  #time = new OwnTime()
  #isLate = false
  #files = new Map()
  /** The file that code has asked for and that is not there. */
  #missing
  #fileOf = (id) => {
    const bytes = this.#files.get(id)
    if (bytes === undefined) this.#missing ??= id
    return bytes
  }

  /** `library` is code that is there before anybody's, such as JSONata. */
  static async create({ wasm, memoryMb, library }) {
    const made = new VirtualMachine(wasm, memoryMb)
    const vm = await QuickJS.create(made.#options)
    if (library !== undefined) vm.evalCode(library).dispose()
    vm.callFunction(
      vm.evalCode(`(${webGuest})`),
      vm.undefined,
      vm.newFunction(HOST, hostCalls(vm, made.#fileOf))
    )
    const inside = vm.evalCode(`(${guest})()`)
    made.#tokens = ['run', 'take'].map((name) => vm.exportHandle(inside.getProp(name)))
    made.#snapshot = vm.snapshot()
    made.#vm = vm
    return made
  }

  constructor(wasm, memoryMb) {
    this.#options = {
      wasm,
      memoryLimit: memoryMb * 1024 * 1024,
      maxStackSize: STACK_BYTES,
      timezoneOffset: 0,
      interruptHandler: () => {
        this.#isLate ||= this.#time.isOver()
        return this.#isLate
      },
      wasi: (memory) => {
        this.#memory = memory
        return {
          clock_time_get: (_clock, _precision, at) => {
            new DataView(memory.buffer).setBigUint64(at, BigInt(this.#now) * 1_000_000n, true)
            return 0
          },
          random_get: () => 0,
          fd_write: () => NO_FILE
        }
      }
    }
  }

  /** As it was when it was made. */
  async renew() {
    if (!this.#isUsed) return
    const { memory } = this.#snapshot
    // What has grown does not shrink, and after an exception the engine's own stack may stand anywhere.
    if (this.#vm === undefined || this.#memory.buffer.byteLength !== memory.byteLength) {
      this.#vm = await QuickJS.restore(this.#snapshot, this.#options)
      this.#vm.registerHostCallback(HOST, hostCalls(this.#vm, this.#fileOf))
    } else new Uint8Array(this.#memory.buffer).set(memory)
    this.#isUsed = false
  }

  /** What the step comes to. The machine has to be new; `begun` is called whenever people's code may begin to run. */
  execute(step, stripped, begun) {
    this.#files = step.files ?? new Map()
    this.#missing = undefined
    const executed = this.#execute(step, stripped, begun)
    // Whatever the code made of it: it is run again, with that file.
    return this.#missing === undefined ? executed : { state: 'file', file: this.#missing, logs: [] }
  }

  #execute({ language, source, text, others, timeoutMs, now, seed, mostCharacters }, stripped, begun) {
    this.#isUsed = true
    this.#isLate = false
    this.#now = now
    const startTime = () => {
      begun(this.#time.had)
      this.#time.begin(timeoutMs)
    }
    const vm = this.#vm
    const [run, take] = this.#tokens.map((token) => vm.importHandle(token))
    try {
      const work = language === 'jsonata' ? vm.newString(source) : this.#compile(source, stripped, startTime)
      // It has closed our function and opened another bracket for its end.
      if (language !== 'jsonata' && !work.isFunction) throw new CodeSyntaxError(CLOSED_TWICE)
      const options = {
        seeds: seedsFrom(seed),
        hasLongNumbers: /\d{16}/.test(text) || (others !== undefined && /\d{16}/.test(others)),
        hasSymbols: /Symbol|ownKeys/.test(source),
        mostCharacters
      }
      const given = [text, JSON.stringify(options), ...(others === undefined ? [] : [others])].map((each) =>
        vm.newString(each)
      )
      // What has no room inside is not text there.
      if (given.some((handle) => !handle.isString)) throw new Error('out of memory')
      startTime()
      vm.callFunction(run, vm.undefined, work, ...given)
      vm.executePendingJobs()
      const taken = this.#taken(take)
      if (typeof taken.position === 'number') return { ...taken, ...placeAt(source, taken.position) }
      return taken.line === undefined ? taken : { ...taken, ...withinSource(source, taken) }
    } catch (error) {
      const failed = this.#failed(error, take)
      this.#vm = undefined
      return failed.line === undefined ? failed : { ...failed, ...withinSource(source, failed) }
    }
  }

  /** Most code is JavaScript. What is not may have types; `stripped` knows what was read so before. */
  #compile(source, stripped, startTime) {
    const known = stripped.get(source)
    try {
      return this.#evaluate(known ?? `${HEAD}${source}\n})`, startTime)
    } catch (error) {
      const mayHaveTypes = known === undefined && error instanceof JSException && error.name === 'SyntaxError'
      if (!mayHaveTypes) throw error
      const plain = plainOf(source)
      stripped.set(source, plain)
      return this.#evaluate(plain, startTime)
    }
  }

  /** Code that closes its function before its end runs here already, so its time does as well. */
  #evaluate(code, startTime) {
    startTime()
    return this.#vm.evalCode(code, FILE, EvalFlags.STRICT)
  }

  #taken(take) {
    const taken = this.#vm.callFunction(take, this.#vm.undefined)
    const { stack = '', ...told } = JSON.parse(taken.getProp('0').toString())
    if (told.state === 'returned') return { ...told, result: taken.getProp('1').toString() }
    if (told.state !== 'failed') return told
    if (told.message === undefined && told.fault === undefined) return { ...told, state: 'memory' }
    return { ...told, ...(MEMORY_ERRORS.test(told.message) && { state: 'memory' }), ...placeIn(stack) }
  }

  #failed(error, take) {
    if (this.#isLate) return { state: 'timeout', logs: this.#lastWords(take) }
    if (error instanceof CodeSyntaxError) {
      const { message, line, column, isSpent } = error
      return { state: 'syntax', message, isSpent, ...(line && { line: line - 1, column }), logs: [] }
    }
    const { name = '', message = '', stack = '' } = error
    if (MEMORY_ERRORS.test(message)) return { state: 'memory', logs: this.#lastWords(take) }
    const state = name === 'SyntaxError' ? 'syntax' : 'failed'
    return { state, name, message, ...placeIn(stack), logs: [] }
  }

  #lastWords(take) {
    this.#isLate = false
    this.#time.begin(LAST_WORDS_MS)
    try {
      return this.#taken(take).logs
    } catch {
      return []
    }
  }
}

/** The first place in people's code, by their lines. */
function placeIn(stack) {
  const place = PLACE.exec(stack)
  return place === null ? {} : { line: Number(place[1]) - 1, column: Number(place[2]) }
}

function plainOf(source) {
  try {
    return stripTypes(`${HEAD}${source}\n})`)
  } catch (fault) {
    throw fault.isSpent ? fault : faultOf(source, fault)
  }
}

/**
 * What is wrong in a statement is told at its place, and what is wrong in an expression, as ours has to be, at the end of
 * it. Where it is behind the end of people's code, something in that is not closed, or is closed twice.
 */
function faultOf(source, fault) {
  const told = faultIn(`${STATEMENT}${source}\n}`) ?? fault
  const lines = source.split('\n')
  if (told.line === undefined || told.line - 1 <= lines.length) return told
  if (faultIn(`${STATEMENT}${source}`) === undefined) return new CodeSyntaxError(CLOSED_TWICE)
  const place = { line: lines.length + 1, column: lines.at(-1).length + 1 }
  return new CodeSyntaxError('The code ends too early: a bracket, a quote or a comment is not closed', place)
}

function faultIn(code) {
  try {
    stripTypes(code)
    return undefined
  } catch (fault) {
    return fault
  }
}

/** The engine may find the place behind the end, or before the first statement that it could have named. */
function withinSource(source, { line, column }) {
  if (line < 1) return placeAt(source, FIRST_STATEMENT.exec(source)[0].length)
  const lines = source.split('\n')
  return line > lines.length ? { line: lines.length, column: lines.at(-1).length + 1 } : { line, column }
}

/** Space and comments, up to the first statement. */
const FIRST_STATEMENT = /^(?:\s|\/\/[^\n]*|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/)*/

/** In an expression, so many characters from its start. */
function placeAt(source, position) {
  const before = source.slice(0, position).split('\n')
  return { line: before.length, column: before.at(-1).length + 1 }
}

/** Chance that is the same for the same step. */
function seedsFrom(seed) {
  const hash = createHash('sha256').update(seed).digest()
  return [0, 4, 8, 12].map((at) => hash.readInt32LE(at))
}
