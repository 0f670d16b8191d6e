import { useEffect } from 'react'
import { useBlocker } from 'react-router'
import { useConfirm } from '../../../design/confirm.tsx'

/** Asks before somebody goes elsewhere, in the page or out of it, while something is not saved. */
export function useUnsavedGuard(isUnsaved: boolean, message: string): void {
  const confirm = useConfirm()
  const blocker = useBlocker(isUnsaved)
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    const question = { title: 'Leave without saving?', body: message, action: 'Leave', isDangerous: true }
    void confirm(question).then((isSure) => (isSure ? blocker.proceed() : blocker.reset()))
  }, [blocker, confirm, message])
  useEffect(() => {
    if (!isUnsaved) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isUnsaved])
}
