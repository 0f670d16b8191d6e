/**
 * The body that somebody wrote for test requests, while the window is open. Not longer: payloads hold names and
 * addresses of people, and the browser may be somebody else's tomorrow. The last payload is read from the service.
 */
interface RememberedBody {
  read(): string | undefined
  write(body: string): void
  /** Something else is meant from now on. */
  forget(): void
}

type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem' | 'removeItem'>

export function rememberedBody(storage: Storage, flow: string): RememberedBody {
  const key = `millrace.test-body.${flow}`
  return {
    forget: () => storage.removeItem(key),
    read: () => storage.getItem(key) ?? undefined,
    write: (body) => {
      try {
        storage.setItem(key, body)
      } catch {
        // The browser's room is used up, or it keeps nothing at all. The body stays in the editor.
      }
    }
  }
}
