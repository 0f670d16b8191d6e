import { Button } from '@mantine/core'
import { type NewKey, useCreateKey } from '../../../api/keys.ts'
import { useSession } from '../../../api/session.ts'
import type { Right } from '../../../api/shapes.ts'
import { CopyButton } from '../../../design/copy-button.tsx'
import { IconKey } from '../../../design/icons/page-icons.ts'
import { ProblemNote } from '../../../design/problem-note.tsx'
import classes from './api-access.module.css'

/** A key of this kind does one thing to one flow. */
export interface KeyPurpose {
  readonly right: Extract<Right, 'trigger' | 'read'>
  /** "may only start this flow" */
  readonly description: string
}

interface FlowKeyProps {
  readonly flow: { readonly id: string; readonly name: string }
  readonly purpose: KeyPurpose
  readonly made: NewKey | undefined
  readonly onMade: (key: NewKey) => void
}

/** Makes a key for one flow and one right, and shows it: once, here, and in the snippets beside it. */
export function FlowKey({ flow, purpose, made, onMade }: FlowKeyProps) {
  const create = useCreateKey()
  const refusal = useRefusal(purpose.right)
  if (made !== undefined) return <MadeKey made={made} purpose={purpose} />
  const make = () => {
    const name = `${flow.name.slice(0, 180)}: ${purpose.right}`
    create.mutate({ name, rights: [purpose.right], flow: flow.id }, { onSuccess: onMade })
  }
  return (
    <section className={classes.key} aria-label="Key">
      <div className={classes.keyLine}>
        <p>{refusal ?? `Create a key that ${purpose.description}. The code below then contains it.`}</p>
        <Button
          variant="default"
          leftSection={<IconKey size={16} aria-hidden />}
          loading={create.isPending}
          disabled={refusal !== undefined}
          onClick={make}
        >
          Create a key
        </Button>
      </div>
      <ProblemNote error={create.error} />
    </section>
  )
}

function MadeKey({ made, purpose }: { readonly made: NewKey; readonly purpose: KeyPurpose }) {
  return (
    <section className={classes.key} aria-label="Key" data-made>
      <div className={classes.keyLine}>
        <code className={classes.secret}>{made.key}</code>
        <CopyButton text={made.key} label="Copy the key">
          Copy
        </CopyButton>
      </div>
      <p role="status">
        It {purpose.description}. It is shown only once: copy it now. The page of keys lists it as “
        {made.name}”.
      </p>
    </section>
  )
}

/** Why whoever is signed in cannot make keys; the service would refuse it in the same words. */
function useRefusal(right: Right): string | undefined {
  const session = useSession()
  if (session === undefined) return undefined
  if (!session.rights.includes('admin')) return 'Your key lacks the right “admin”, so it cannot create keys.'
  if (session.flow_id !== null || (session.context !== null && session.context !== '/')) {
    return 'Your key is bound to a flow or a context, so it cannot create keys.'
  }
  if (!session.rights.includes(right)) return `Your key lacks the right “${right}”, so it cannot give it.`
  return undefined
}
