import { useQueryClient } from '@tanstack/react-query'
import { compareFlows } from '../../../../../src/flows/document/compare-flows.ts'
import { describeChanges } from '../../../../../src/flows/document/describe-changes.ts'
import { useApi } from '../../../api/api-context.ts'
import { discardDraft, undoPublish } from '../../../api/publishing.ts'
import { useConfirm } from '../../../design/confirm.tsx'
import { notifyDone, notifyProblem } from '../../../design/notify.tsx'
import { publishedInWords, undoneInWords } from '../../../editor/graph/live-standing.ts'
import { type Editor, useEditor } from '../editor-context.ts'
import { whenSaved } from '../save/when-saved.ts'
import { type Publication, type Published, useSaving } from '../session/saving-context.ts'
import { useKeepDraft } from '../versions/use-keep-draft.ts'

/** From the draft to what is live, and back. */
export function usePublishActions() {
  const editor = useEditor()
  const saving = useSaving()
  const api = useApi()
  const queries = useQueryClient()
  const confirm = useConfirm()
  const keep = useKeepDraft()
  const { flowId } = editor

  const undo = async (version: number) => {
    try {
      const flow = await undoPublish(api, flowId, version)
      queries.setQueryData(['flow', flowId], flow)
      await queries.invalidateQueries({ queryKey: ['draft', flowId] })
      notifyDone(undoneInWords(flow, version))
    } catch (error) {
      notifyProblem(error)
    }
  }

  const publish = async (publication: Publication): Promise<Published> => {
    const before = editor.state().live.document
    const published = await saving.publish(publication)
    if (published.kind !== 'published') return published
    const { version } = published.flow
    editor.closePanel()
    notifyDone(publishedInWords(before, version), () => void undo(version))
    return published
  }

  const discard = async () => {
    const { live, flow: lost } = editor.state()
    const isMeant = await confirm({
      title: 'Discard the draft?',
      body: <LostChanges changes={changesIn(editor)} liveVersion={live.version} />,
      action: 'Discard',
      isDangerous: true
    })
    if (!isMeant || !(await keep('discarded'))) return
    editor.closePanel()
    editor.execute({ kind: 'replace', document: live.document, label: DISCARD })
    notifyDone(`The draft is discarded. You see version ${live.version}, which is live.`, () => {
      if (editor.state().undoes === DISCARD) editor.undo()
      else editor.execute({ kind: 'replace', document: lost, label: 'Bring the draft back' })
    })
    // Saved as what is live, it is no longer a draft. Where somebody saves one in the same moment, theirs stays.
    const status = await whenSaved(editor, saving)
    const revision = editor.state().save?.base.standing.revision ?? 0
    if (status === 'clean' && revision > 0) {
      await discardDraft(api, flowId, revision).catch(() => undefined)
      await queries.invalidateQueries({ queryKey: ['draft', flowId] })
    }
  }

  return { publish, undo, discard }
}

const DISCARD = 'Discard the draft'

function changesIn(editor: Editor): string | null {
  const { live, flow, catalogue } = editor.state()
  return describeChanges(compareFlows(live.document, flow, (type) => catalogue.facts(type)?.title))
}

function LostChanges(props: { readonly changes: string | null; readonly liveVersion: number }) {
  return (
    <>
      {props.changes !== null && (
        <p>
          This goes: <strong>{props.changes}</strong>. Versions keeps it as a draft.
        </p>
      )}
      <p>
        Anyone else who edits the draft loses their changes, too. Version {props.liveVersion} stays live, as
        it is.
      </p>
    </>
  )
}
