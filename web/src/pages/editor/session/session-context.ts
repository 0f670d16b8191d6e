import { createContext, useContext } from 'react'
import type { EditorSession } from './editor-session.ts'

/** The session itself, for the parts that make up the editor; what stands on nodes has enough with `useEditor`. */
export const SessionContext = createContext<EditorSession | undefined>(undefined)

export function useEditorSession(): EditorSession {
  const session = useContext(SessionContext)
  if (session === undefined) throw new Error('useEditorSession is used outside of <SessionContext>')
  return session
}
