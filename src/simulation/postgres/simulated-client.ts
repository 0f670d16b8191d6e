import { EventEmitter } from 'node:events'
import type { Client, ClientConfig, QueryConfig, QueryResult } from 'pg'
import type { Owner } from '../world/scheduler.ts'
import { Line, terminated } from './line.ts'
import { statementOf } from './statement.ts'
import type { Wire } from './wire.ts'

type Callback<T> = (error: Error | undefined, result?: T) => void

/** The driver's client as one simulated process has it: what the store and the driver's own pool use of it. */
export function simulatedClient(wire: Wire, owner: Owner): typeof Client {
  class SimulatedClient extends EventEmitter {
    readonly #line: Line
    /** A connection does one thing after the other. */
    #last: Promise<unknown> = Promise.resolve()
    /** Read by the pool. */
    _queryable = true
    _ending = false

    constructor(config: ClientConfig) {
      super()
      this.#line = new Line(owner, config, {
        onCut: () => this.#lost(),
        onSignal: (payload) => this.emit('notification', { channel: 'millrace', payload })
      })
    }

    isConnected(): boolean {
      return this.#line.session !== undefined
    }

    connect(callback?: Callback<void>): Promise<void> | undefined {
      return answered(wire.connect(this.#line), callback)
    }

    query(
      given: string | QueryConfig,
      values?: unknown[] | Callback<QueryResult>,
      callback?: Callback<QueryResult>
    ): Promise<QueryResult> | undefined {
      const [list, then] = typeof values === 'function' ? [undefined, values] : [values, callback]
      const statement = statementOf(given, list)
      const done = this.#last.then(() => {
        if (!this._queryable || this._ending) throw terminated()
        return wire.execute(this.#line, statement)
      })
      this.#last = done.catch(() => {})
      return answered(done, then)
    }

    end(callback?: Callback<void>): Promise<void> | undefined {
      this._ending = true
      wire.leave(this.#line)
      return answered(Promise.resolve(), callback)
    }

    #lost(): void {
      if (this._ending || !this._queryable) return
      this._queryable = false
      this.emit('error', terminated())
      this.emit('end')
    }
  }
  return SimulatedClient as unknown as typeof Client
}

function answered<T>(promise: Promise<T>, callback: Callback<T> | undefined): Promise<T> | undefined {
  if (callback === undefined) return promise
  promise.then((result) => callback(undefined, result), callback)
  return undefined
}
