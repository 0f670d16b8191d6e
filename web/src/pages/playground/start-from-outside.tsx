import { Button } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { Link } from 'react-router'
import { useApi } from '../../api/api-context.ts'
import type { Flow } from '../../api/shapes.ts'
import { CopyButton } from '../../design/copy-button.tsx'
import classes from './composer.module.css'
import { type StartCommand, startCommand } from './start-command.ts'

/** Where the field would be, for a flow that nobody can talk to: how to start it instead. */
export function StartFromOutside({ flow }: { readonly flow: Flow }) {
  const api = useApi()
  const start = startCommand(flow, api.address(`webhook/${flow.slug}`), 'API key')
  return (
    <section className={classes.outside} aria-label="How to start this flow">
      <p className={classes.lead}>
        <IconInfoCircle size={16} aria-hidden className={classes.mark} />
        <span>
          This flow has no Chat Input, so it cannot be talked to here.{' '}
          {start === undefined
            ? 'It has no Webhook either: nothing starts it yet.'
            : 'It starts when a request reaches its webhook:'}
        </span>
      </p>
      {start === undefined ? (
        <Button component={Link} to={`/flows/${flow.id}`} variant="default" size="compact-md">
          Add one on the canvas
        </Button>
      ) : (
        <Command start={start} />
      )}
    </section>
  )
}

const NEEDS: Readonly<Record<StartCommand['needs'], React.ReactNode>> = {
  key: (
    <>
      Put a key with the right “trigger” into <code>MILLRACE_API_KEY</code>; <Link to="/keys">Keys</Link>{' '}
      makes one.
    </>
  ),
  signature: 'Its webhook takes signed requests only: let the sender sign, or send a test from the canvas.',
  nothing: 'Its webhook asks for no key.'
}

function Command({ start: { command, needs } }: { readonly start: StartCommand }) {
  return (
    <>
      <div className={classes.command}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a room that scrolls has to be reached by keyboard. */}
        <pre tabIndex={0}>{command}</pre>
        <CopyButton text={command} label="Copy the command" />
      </div>
      <p className={classes.hint}>{NEEDS[needs]}</p>
    </>
  )
}
