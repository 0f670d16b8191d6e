import { Button } from '@mantine/core'
import { IconEar } from '../../../design/icons/editor-icons.ts'
import { IconPlus, IconSparkles } from '../../../design/icons/page-icons.ts'
import { notesOf } from '../../../editor/graph/flow.ts'
import { useAdding } from '../actions/use-adding.ts'
import { showArrival } from '../arrival/show-arrival.tsx'
import { useAssistance } from '../assistance.ts'
import { ComponentIcon } from '../components/component-icon.tsx'
import { useEditor, useEditorState } from '../editor-context.ts'
import { useQuickAdd } from '../session/quick-add-context.ts'
import { useTesting } from '../session/testing-context.ts'
import classes from './canvas.module.css'

/** How to begin, while there is nothing. */
export function EmptyCanvas() {
  const adding = useAdding()
  const quickAdd = useQuickAdd()
  const editor = useEditor()
  const { listening } = useTesting()
  const assistance = useAssistance()
  const isEmpty = useEditorState(({ flow }) => flow.nodes.length + notesOf(flow).length === 0)
  const isReadOnly = useEditorState((state) => state.isReadOnly)
  const triggers = useEditorState(({ catalogue }) => catalogue.components)
  if (!isEmpty) return null
  const webhook = triggers.find(({ type }) => type === 'webhook')
  return (
    <div className={classes.empty}>
      <h2>An empty canvas</h2>
      {isReadOnly ? (
        <p>This flow has no nodes.</p>
      ) : (
        <>
          <p>Begin with what starts the flow, drag a component here, or paste a flow document.</p>
          <div className={classes.emptyActions}>
            {triggers
              .filter(({ trigger }) => trigger !== null)
              .map((facts) => (
                <Button
                  key={facts.type}
                  variant="default"
                  leftSection={<ComponentIcon name={facts.icon} size={16} />}
                  onClick={() => adding.addInView({ facts })}
                >
                  {facts.title}
                </Button>
              ))}
            {webhook !== undefined && (
              <Button
                variant="default"
                leftSection={<IconEar size={16} aria-hidden />}
                onClick={() => {
                  adding.addInView({ facts: webhook })
                  showArrival(editor)
                  void listening.listen()
                }}
              >
                Send me something
              </Button>
            )}
            <Button
              variant="default"
              leftSection={<IconPlus size={16} aria-hidden />}
              onClick={({ clientX, clientY }) =>
                quickAdd.open({ screen: { x: clientX, y: clientY }, isInView: true })
              }
            >
              Something else
            </Button>
            {assistance.isOffered && (
              <Button
                variant="default"
                leftSection={<IconSparkles size={16} aria-hidden />}
                onClick={() => assistance.open()}
              >
                Describe it
              </Button>
            )}
          </div>
        </>
      )}
    </div>
  )
}
