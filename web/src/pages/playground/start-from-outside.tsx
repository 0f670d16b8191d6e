import { Skeleton } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { Link } from 'react-router'
import { useApi } from '../../api/api-context.ts'
import { useComponents } from '../../api/components.ts'
import { contextScopeOf } from '../../api/context-scope.ts'
import { useContexts } from '../../api/contexts.ts'
import type { DraftTurns } from '../../api/messages.ts'
import type { Flow } from '../../api/shapes.ts'
import { CopyButton } from '../../design/copy-button.tsx'
import { IconInfoCircle } from '../../design/icons/page-icons.ts'
import { PageCatalogue } from '../../editor/wiring/page-catalogue.ts'
import classes from './composer.module.css'
import { type StartCommand, startCommand } from './start-command.ts'

/** With the editor of payloads, which a flow that is talked to does not need. */
const RunFromHere = lazy(() =>
  import('./run-from-here.tsx').then(({ RunFromHere: part }) => ({ default: part }))
)

interface StartFromOutsideProps {
  readonly flow: Flow
  readonly drafts: DraftTurns | undefined
}

/** Where the field would be, for a flow that nobody can talk to: how to start it instead. */
export function StartFromOutside({ flow, drafts }: StartFromOutsideProps) {
  const hasWebhook = flow.nodes.some(({ type }) => type === 'webhook')
  const starters = useStarters(flow)
  return (
    <section className={classes.outside} aria-label="How to start this flow">
      <p className={classes.lead}>
        <IconInfoCircle size={16} aria-hidden className={classes.mark} />
        <span>
          This flow has no Chat Input, so it is run here with a payload.{' '}
          {hasWebhook
            ? 'A request to its webhook starts it, too.'
            : starters.length > 0
              ? `It is started by ${starters.join(' and ')}, too.`
              : 'Nothing starts it by itself yet.'}
        </span>
      </p>
      <Suspense fallback={<Skeleton height={120} />}>
        <RunFromHere flow={flow} drafts={drafts} />
      </Suspense>
      {hasWebhook && <Command flow={flow} />}
    </section>
  )
}

/** What starts it without being asked, by name: a Schedule for instance. */
function useStarters(flow: Flow): readonly string[] {
  const { data: components = [] } = useComponents(flow.context)
  const triggers = components.filter(({ trigger }) => trigger !== null)
  const used = triggers.filter(({ type }) => flow.nodes.some((node) => node.type === type))
  return used.map(({ title }) => title)
}

/** Undefined until what the flow sees is known: a command that changes while it is copied is worse than none. */
function useStartCommand(flow: Flow): StartCommand | undefined {
  const { base } = useApi()
  const components = useComponents(flow.context)
  const contexts = useContexts()
  if (components.isPending || contexts.isPending) return undefined
  return startCommand(flow, {
    address: base,
    contextAuth: contextScopeOf(contexts.data ?? [], flow.context).settings.auth?.value,
    catalogue: new PageCatalogue(components.data ?? [])
  })
}

function Command({ flow }: { readonly flow: Flow }) {
  const start = useStartCommand(flow)
  if (start === undefined) return <Skeleton height={96} />
  return (
    <>
      <div className={classes.command}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a room that scrolls has to be reached by keyboard. */}
        <pre tabIndex={0}>{start.command}</pre>
        <CopyButton text={start.command} label="Copy the command" />
      </div>
      <p className={classes.hint}>
        <Asked auth={start.auth} />
      </p>
    </>
  )
}

/** What the webhook asks of whoever calls it. */
function Asked({ auth }: { readonly auth: string }) {
  if (auth === 'None') return 'Its webhook asks for no key.'
  if (auth === 'Signature') return 'The sender signs its requests; a test can be sent from the canvas.'
  if (auth === 'Token' || auth === 'Basic')
    return 'The sender shows its secret; a test can be sent from the canvas.'
  return (
    <>
      Put a key with the right “trigger” into <code>MILLRACE_API_KEY</code>. Create one under{' '}
      <Link to="/keys">Keys</Link>.
    </>
  )
}
