import { createContext, lazy, Suspense, useCallback, useContext, useState } from 'react'
import type { Question } from './question.ts'

// Dialogs come with much that everybody would wait for before anything is drawn.
const ConfirmDialog = lazy(async () => {
  const { ConfirmDialog } = await import('./confirm-dialog.tsx')
  return { default: ConfirmDialog }
})

type Ask = (question: Question) => Promise<boolean>

const ConfirmContext = createContext<Ask | undefined>(undefined)

/** `if (await confirm({ title, body, action })) …` */
export function useConfirm(): Ask {
  const ask = useContext(ConfirmContext)
  if (ask === undefined) throw new Error('useConfirm is used outside of <ConfirmProvider>')
  return ask
}

interface Asked extends Question {
  readonly answer: (yes: boolean) => void
}

export function ConfirmProvider({ children }: { readonly children: React.ReactNode }) {
  const [asked, setAsked] = useState<Asked | undefined>()
  const [isOpen, setOpen] = useState(false)
  const ask = useCallback<Ask>((question) => {
    return new Promise((resolve) => {
      setAsked({ ...question, answer: resolve })
      setOpen(true)
    })
  }, [])
  const answer = (yes: boolean) => {
    asked?.answer(yes)
    setOpen(false)
  }
  return (
    <ConfirmContext value={ask}>
      {children}
      {asked !== undefined && (
        <Suspense fallback={null}>
          <ConfirmDialog question={asked} isOpen={isOpen} onAnswer={answer} />
        </Suspense>
      )}
    </ConfirmContext>
  )
}
