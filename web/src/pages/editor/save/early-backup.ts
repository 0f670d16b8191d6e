import type { SavedFlow } from '../../../editor/graph/saved-flow.ts'
import type { EditorSession } from '../session/editor-session.ts'
import type { LocalBackup } from './local-backup.ts'

/**
 * Keeps in the browser what is edited until there is what saves it, which comes after the canvas. Returns what ends that;
 * what was not written by then is left to whoever keeps it next.
 */
export function backUpEarlyWork(session: EditorSession, opened: SavedFlow, backup: LocalBackup): () => void {
  const { flow: first } = session.state()
  let last = first
  const unwatch = session.watch(() => {
    const { flow: mine } = session.state()
    if (mine === last) return
    last = mine
    backup.keep(mine === first ? undefined : { base: opened, mine, sent: [] })
  })
  const onHide = () => backup.write()
  window.addEventListener('pagehide', onHide)
  return () => {
    unwatch()
    window.removeEventListener('pagehide', onHide)
  }
}
