import { Radio, Stack } from '@mantine/core'
import { skipToken, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type JsonValue, jsonIn } from '../../../../../src/flows/json/exact-json.ts'
import { useApi } from '../../../api/api-context.ts'
import { runQuery } from '../../../api/runs.ts'
import { ValueView } from '../../../design/value-view/value-view.tsx'
import { PayloadEditor } from '../../../file-parts/payload-editor.tsx'
import classes from './bulk.module.css'
import { mergePatch } from './merge-patch.ts'
import type { InputEdit } from './use-bulk-run.ts'

/** An edit as it is being typed. */
interface EditDraft {
  readonly kind: InputEdit['kind']
  readonly text: string
}

export const NEW_DRAFT: EditDraft = { kind: 'merge', text: '{\n  \n}' }

/** Undefined while the text is not JSON, or changes nothing. */
export function readDraft({ kind, text }: EditDraft): InputEdit | undefined {
  const value = jsonIn(text)
  return value === undefined || (kind === 'merge' && isNoChange(value)) ? undefined : { kind, value }
}

function isNoChange(value: JsonValue): boolean {
  return (
    typeof value !== 'object' || value === null || Array.isArray(value) || Object.keys(value).length === 0
  )
}

interface BulkEditProps {
  readonly draft: EditDraft
  readonly onChange: (draft: EditDraft) => void
  /** A run whose input shows what the edit makes of it. */
  readonly sample: string | undefined
}

export function BulkEdit({ draft, onChange, sample }: BulkEditProps) {
  const [fault, setFault] = useState<string>()
  const edit = readDraft(draft)
  return (
    <Stack>
      <Radio.Group
        label="How the inputs are changed"
        value={draft.kind}
        onChange={(kind) => onChange({ ...draft, kind: kind as EditDraft['kind'] })}
      >
        <Stack gap="sm" mt="xs">
          <Radio
            value="merge"
            label="Change some keys of each input"
            description="A JSON merge patch (RFC 7396): keys that you write take the place of those in the input, null removes a key, and all others stay as they are."
          />
          <Radio
            value="replace"
            label="Replace each input"
            description="Every run gets exactly the JSON value that you write. Nothing of the old inputs stays."
          />
        </Stack>
      </Radio.Group>
      <div className={classes.edit}>
        <div>
          <h3 className={classes.heading}>{draft.kind === 'merge' ? 'Changes' : 'New input'}</h3>
          <PayloadEditor
            label={draft.kind === 'merge' ? 'Changes' : 'New input'}
            value={draft.text}
            onChange={(text) => onChange({ ...draft, text })}
            onFault={setFault}
            height={180}
          />
          {edit === undefined && (
            <p className={classes.hint}>
              {draft.kind === 'replace' || fault !== undefined
                ? `This is not JSON yet. ${fault ?? ''}`
                : 'Write an object with the keys to change, for example {"customer": "Ann"}.'}
            </p>
          )}
        </div>
        <Preview sample={sample} edit={edit} />
      </div>
    </Stack>
  )
}

/** What the edit makes of the first of the inputs. */
function Preview({
  sample,
  edit
}: {
  readonly sample: string | undefined
  readonly edit: InputEdit | undefined
}) {
  const api = useApi()
  const { data: run } = useQuery(
    sample === undefined ? { queryKey: ['run', ''], queryFn: skipToken } : runQuery(api, sample)
  )
  if (run === undefined) return null
  const input = edit === undefined ? run.input : applied(run.input, edit)
  return (
    <div className={classes.preview}>
      <h3 className={classes.heading}>
        {edit === undefined ? 'Input of the first run' : 'What the first run will get'}
      </h3>
      <ValueView value={input} label="input of the first run" />
    </div>
  )
}

function applied(input: JsonValue, edit: InputEdit): JsonValue {
  return edit.kind === 'replace' ? edit.value : mergePatch(input, edit.value)
}
