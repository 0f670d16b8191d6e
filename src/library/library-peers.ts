/** The other processes that share the store. */
export interface LibraryPeers {
  /** Brings in what they have saved. */
  catchUp(): Promise<void>
  /** Resolves when they have what was saved here, or have had time enough to bring it in. */
  confirmed(): Promise<void>
}
