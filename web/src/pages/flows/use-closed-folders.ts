import { useState } from 'react'

export interface ClosedFolders {
  has(context: string): boolean
  toggle(context: string): void
}

const KEY = 'millrace.closed-folders'

/** Which folders of the list are closed, on this machine. */
export function useClosedFolders(): ClosedFolders {
  const [closed, setClosed] = useState(read)
  return {
    has: (context) => closed.has(context),
    toggle: (context) => {
      const next = new Set(closed)
      if (!next.delete(context)) next.add(context)
      setClosed(next)
      localStorage.setItem(KEY, JSON.stringify([...next]))
    }
  }
}

function read(): ReadonlySet<string> {
  try {
    return new Set(JSON.parse(localStorage.getItem(KEY) ?? '[]') as string[])
  } catch {
    return new Set()
  }
}
