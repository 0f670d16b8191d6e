/** How a server is spoken to. */
export type Greeting =
  /** Each request says all. */
  | { readonly era: 'stateless'; readonly version: string }
  /** It was shaken hands with; it may keep a session. */
  | { readonly era: 'sessions'; readonly version: string; readonly id: string | undefined }

/** The server does not know any more what it was told: it is to be greeted anew. */
export class Forgotten extends Error {}
