import { Button, Checkbox, Group, Modal, Select, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useApi } from '../../api/api-context.ts'
import { useContexts } from '../../api/contexts.ts'
import { type NewFlow, useCreateDraft, useCreateFlow } from '../../api/flows.ts'
import { useMay, useSession } from '../../api/session.ts'
import { startTest } from '../../api/tests.ts'
import { ProblemNote } from '../../design/problem-note.tsx'
import classes from './new-flow-dialog.module.css'
import { BLANK, BY_REQUEST, TemplateChoice } from './template-choice.tsx'
import { TemplateNeeds, useTemplateNeeds } from './template-needs.tsx'
import type { FlowTemplate } from './templates/flow-template.ts'
import { GALLERY } from './templates/gallery.ts'

interface NewFlowDialogProps {
  readonly opened: boolean
  readonly onClose: () => void
}

export function NewFlowDialog({ opened, onClose }: NewFlowDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="New flow" size="xl">
      <NewFlowForm onClose={onClose} />
    </Modal>
  )
}

function NewFlowForm({ onClose }: { readonly onClose: () => void }) {
  const [chosen, setChosen] = useState(BLANK)
  const template = GALLERY.find(({ id }) => id === chosen)
  const isByRequest = chosen === BY_REQUEST
  const [typedName, setTypedName] = useState<string>()
  const [runsSample, setRunsSample] = useState(true)
  const context = useContextChoice()
  const needs = useTemplateNeeds(template, context.value)
  const isUnready = template !== undefined && mayLack(template) && needs?.length !== 0
  const mayTest = useMay('trigger')
  const create = useCreate()
  const name = typedName ?? template?.document.name ?? ''
  const submit = (event: React.FormEvent) => {
    event.preventDefault()
    create.make(
      {
        ...documentFrom(template),
        name: name.trim() || 'New flow',
        context: context.value
      },
      { sample: sampleOf(), isByRequest, isDraft: isUnready }
    )
  }
  const sampleOf = () => (runsSample && mayTest && needs?.length === 0 ? template?.sample : undefined)
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <div className={classes.names}>
          <TextInput
            label="Name"
            placeholder="New flow"
            maxLength={200}
            data-autofocus
            value={name}
            onChange={(event) => setTypedName(event.currentTarget.value)}
          />
          <Select
            label="Context"
            description={undefined}
            data={[...context.paths]}
            value={context.value}
            allowDeselect={false}
            searchable
            onChange={(path) => context.choose(path ?? '/')}
          />
        </div>
        <TemplateChoice chosen={chosen} onChoose={setChosen} />
      </Stack>
      {/* It stays in sight below forty cards. */}
      <div className={classes.footer}>
        <TemplateNeeds needs={needs ?? []} context={context.value} />
        {template !== undefined && mayTest && needs?.length === 0 && (
          <Checkbox
            label="Test it once with its sample payload"
            description="The canvas then shows real values, and templates complete the keys of the payload."
            checked={runsSample}
            onChange={(event) => setRunsSample(event.currentTarget.checked)}
          />
        )}
        <ProblemNote error={create.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending}>
            Create
          </Button>
        </Group>
      </div>
    </form>
  )
}

function documentFrom(template: FlowTemplate | undefined): Pick<NewFlow, 'nodes' | 'edges'> {
  return template?.document ?? { nodes: [], edges: [] }
}

/** Told without the service: what lacks nothing must not wait for its answer. */
function mayLack({ document }: FlowTemplate): boolean {
  return document.nodes.some(({ fields }) => 'connection' in fields)
}

/** The contexts that a flow can be put into; a key that is bound to one begins there. */
function useContextChoice() {
  const bound = useSession()?.context ?? '/'
  const { data: contexts = [] } = useContexts()
  const [chosen, choose] = useState<string>()
  const paths = new Set([bound, ...contexts.map(({ path }) => path)])
  return { paths, value: chosen ?? bound, choose }
}

interface Beginning {
  readonly sample: FlowTemplate['sample'] | undefined
  readonly isByRequest: boolean
  /** What lacks connections cannot work, and must not be live. */
  readonly isDraft: boolean
}

function useCreate() {
  const api = useApi()
  const navigate = useNavigate()
  const create = useCreateFlow()
  const draft = useCreateDraft()
  const make = (document: NewFlow, { sample, isByRequest, isDraft }: Beginning) => {
    if (isDraft) return draft.mutate(document, { onSuccess: (id) => void navigate(`/flows/${id}`) })
    create.mutate(document, {
      onSuccess: (flow) => {
        // Not waited for: the canvas shows the test when it happens. It is no part of stats: nobody has sent anything yet.
        if (sample !== undefined) void startTest(api, flow.id, { input: sample }).catch(() => undefined)
        void navigate(`/flows/${flow.id}${isByRequest ? '?listen' : ''}`)
      }
    })
  }
  return { make, error: create.error ?? draft.error, isPending: create.isPending || draft.isPending }
}
