import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { copyText } from './copy-text.ts'

interface CopyButtonProps {
  /** A function where the text is long to write: it is called when somebody copies. */
  readonly text: string | (() => string)
  /** What is copied, for the tooltip and for screen readers: "Copy the endpoint". */
  readonly label: string
  /** Shows these words beside the icon. */
  readonly children?: React.ReactNode
}

export function CopyButton({ text, label, children }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<'copied' | 'refused' | undefined>()
  useEffect(() => {
    if (outcome === undefined) return
    const timer = setTimeout(() => setOutcome(undefined), 1600)
    return () => clearTimeout(timer)
  }, [outcome])
  const copy = async () => {
    const written = typeof text === 'string' ? text : text()
    setOutcome((await copyText(written)) ? 'copied' : 'refused')
  }
  const icon = outcome === 'copied' ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />
  const said =
    outcome === 'copied' ? 'Copied' : outcome === 'refused' ? 'The browser did not allow it' : label
  return (
    <>
      {children === undefined ? (
        <Tooltip label={said}>
          <ActionIcon onClick={copy} aria-label={label}>
            {icon}
          </ActionIcon>
        </Tooltip>
      ) : (
        <Button variant="default" leftSection={icon} onClick={copy} aria-label={label}>
          {outcome === undefined ? children : said}
        </Button>
      )}
      <span className="visually-hidden" aria-live="polite">
        {outcome === undefined ? '' : said}
      </span>
    </>
  )
}
