import { Button, Group, Modal, Stack } from '@mantine/core'
import { createContext, useCallback, useContext, useState } from 'react'

export interface Question {
  readonly title: string
  /** What will happen, and what cannot be undone. */
  readonly body: React.ReactNode
  /** The verb on the button: "Revoke". */
  readonly action: string
  readonly isDangerous?: boolean
}

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
      <Modal opened={isOpen} onClose={() => answer(false)} title={asked?.title}>
        <Stack>
          <div>{asked?.body}</div>
          <Group justify="flex-end">
            <Button variant="default" onClick={() => answer(false)}>
              Cancel
            </Button>
            <Button color={asked?.isDangerous ? 'red' : 'mill'} onClick={() => answer(true)} data-autofocus>
              {asked?.action}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </ConfirmContext>
  )
}
