import type { Settings } from './settings.ts'

/** A text that begins with `@` is a setting of the node: `@text`, one inside of another `@options.limit`, the first that is there `@a|b`. */
export type Given = { readonly [name: string]: unknown }

/** What a service is asked for one operation of its node. */
export interface AppCall {
  /** Method and address; `{@id}` is a setting, and `@place` what is computed. Relative addresses are of the connection. */
  readonly send: string
  readonly place?: (settings: Settings) => string
  /** Whether what was set is enough to ask for it: a placeholder stands for it where it is not. */
  readonly isKnown?: (settings: Settings) => boolean
  readonly query?: Given | ((settings: Settings) => Given)
  readonly headers?: Given
  readonly body?: Given | ((settings: Settings) => unknown)
  readonly bodyType?: 'Form' | 'Multipart' | 'Binary' | 'None'
  readonly answers?: 'Text' | 'Binary'
  /** What n8n makes of the answer: an expression of JavaScript over `data`. */
  readonly item?: string | ((settings: Settings) => string)
  /** It gives several items. */
  readonly isMany?: boolean
  readonly note?: string
  /** A request before it, whose answer the body is made of: its address, and code that returns the body. */
  readonly before?: { readonly send: string; readonly body: (settings: Settings) => string }
}

export interface App {
  /** Of the connection; empty where there is none for the service, and left out where it asks for no key. */
  readonly preset?: string
  /** By resource and operation. The first of all is what n8n takes where nobody chose, and so is the first of each resource. */
  readonly calls: Readonly<Record<string, AppCall>>
}

export const READS_A_PAGE = 'It reads one page: set "Pagination" for more.'
