import { Button, Checkbox, Group, Modal, SegmentedControl, Select, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { RIGHT_HELP, RIGHTS } from '../../../../src/keys/rights.ts'
import { useContexts } from '../../api/contexts.ts'
import { useFlows } from '../../api/flows.ts'
import { type KeyRequest, type NewKey, useCreateKey } from '../../api/keys.ts'
import { useSession } from '../../api/session.ts'
import type { Right } from '../../api/shapes.ts'
import { ProblemNote } from '../../design/problem-note.tsx'
import { useNow } from '../../design/use-now.ts'
import { expiryAfter, lifetimesWithin } from './key-expiry.ts'
import classes from './keys-page.module.css'

interface NewKeyDialogProps {
  readonly opened: boolean
  readonly onClose: () => void
  readonly onMade: (key: NewKey) => void
}

export function NewKeyDialog({ opened, onClose, onMade }: NewKeyDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="New key" size="lg">
      <NewKeyForm onClose={onClose} onMade={onMade} />
    </Modal>
  )
}

type Reach = 'all' | 'flow' | 'context'

function NewKeyForm({ onClose, onMade }: Omit<NewKeyDialogProps, 'opened'>) {
  const create = useCreateKey()
  const session = useSession()
  const now = useNow()
  const [name, setName] = useState('')
  const [rights, setRights] = useState<readonly Right[]>(['trigger'])
  const [lifetime, setLifetime] = useState('never')
  const reach = useReach()
  const submit = (event: React.FormEvent) => {
    event.preventDefault()
    const request: KeyRequest = {
      name: name.trim(),
      rights,
      ...reach.limits,
      expires_at: expiryAfter(lifetime, Date.now())
    }
    create.mutate(request, { onSuccess: onMade })
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <TextInput
          label="Name"
          description="Who uses it, so that you know whom to ask: “Shop, production”."
          required
          maxLength={200}
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <RightsField value={rights} onChange={setRights} />
        <ReachField {...reach} />
        <Select
          label="Valid for"
          data={lifetimesWithin(session?.expires_at ?? null, now)}
          value={lifetime}
          allowDeselect={false}
          onChange={(value) => setLifetime(value ?? 'never')}
        />
        <ProblemNote error={create.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            loading={create.isPending}
            disabled={name.trim() === '' || rights.length === 0 || !reach.isComplete}
          >
            Create key
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

interface RightsFieldProps {
  readonly value: readonly Right[]
  readonly onChange: (rights: readonly Right[]) => void
}

/** Nobody can give a right that their own key lacks. */
function RightsField({ value, onChange }: RightsFieldProps) {
  const own = useSession()?.rights ?? []
  return (
    <Checkbox.Group label="Rights" value={[...value]} onChange={(rights) => onChange(rights as Right[])}>
      <div className={classes.choices}>
        {RIGHTS.map((right) => (
          <Checkbox
            key={right}
            value={right}
            label={right}
            description={RIGHT_HELP[right]}
            disabled={!own.includes(right)}
          />
        ))}
      </div>
    </Checkbox.Group>
  )
}

function useReach() {
  const [reach, setReach] = useState<Reach>('all')
  const [flow, setFlow] = useState<string | null>(null)
  const [context, setContext] = useState<string | null>(null)
  const limits = {
    ...(reach === 'flow' && flow !== null ? { flow } : {}),
    ...(reach === 'context' && context !== null ? { context } : {})
  }
  const isComplete = reach === 'all' || Object.keys(limits).length > 0
  return { reach, setReach, flow, setFlow, context, setContext, limits, isComplete }
}

function ReachField({ reach, setReach, flow, setFlow, context, setContext }: ReturnType<typeof useReach>) {
  const { data: flows = [] } = useFlows()
  const { data: contexts = [] } = useContexts()
  return (
    <div>
      <div className={classes.label} id="key-reach">
        Reaches
      </div>
      <SegmentedControl
        fullWidth
        aria-labelledby="key-reach"
        value={reach}
        onChange={(value) => setReach(value as Reach)}
        data={[
          { value: 'all', label: 'Everything' },
          { value: 'flow', label: 'One flow' },
          { value: 'context', label: 'A context' }
        ]}
      />
      {reach === 'flow' && (
        <Select
          mt="sm"
          aria-label="Flow"
          placeholder="Choose a flow"
          searchable
          nothingFoundMessage="No such flow"
          data={flows.map(({ id, name }) => ({ value: id, label: name }))}
          value={flow}
          onChange={setFlow}
        />
      )}
      {reach === 'context' && (
        <Select
          mt="sm"
          aria-label="Context"
          placeholder="Choose a context; those below it count too"
          searchable
          nothingFoundMessage="No such context"
          data={contexts.map(({ path }) => path).filter((path) => path !== '/')}
          value={context}
          onChange={setContext}
        />
      )}
    </div>
  )
}
