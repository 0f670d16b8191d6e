import { ActionIcon, Menu } from '@mantine/core'
import type { RefObject } from 'react'
import { useNavigate } from 'react-router'
import { useApi } from '../../api/api-context.ts'
import { useCreateFlow } from '../../api/flows.ts'
import { useMay } from '../../api/session.ts'
import type { ListedFlow } from '../../api/shapes.ts'
import { copyText } from '../../design/copy-text.ts'
import { IconFileExport, IconTag } from '../../design/icons/list-icons.ts'
import {
  IconCopy,
  IconDots,
  IconFolder,
  IconLink,
  IconListDetails,
  IconMessages,
  IconPlayerPause,
  IconPlayerPlay,
  IconTopologyStar3,
  IconTrash
} from '../../design/icons/page-icons.ts'
import { notifyDone, notifyProblem } from '../../design/notify.tsx'
import { saveFile } from '../../design/save-file.ts'
import { copyOf, exportedText } from './flow-file.ts'
import type { OpenDialog } from './open-dialog.ts'
import type { RowHandlers } from './row-handlers.ts'

interface FlowMenuProps {
  readonly flow: ListedFlow
  readonly handlers: RefObject<RowHandlers>
  readonly onDialog: OpenDialog
}

/** What can be done with a flow from outside of it. */
export function FlowMenu({ flow, handlers, onDialog }: FlowMenuProps) {
  const navigate = useNavigate()
  const api = useApi()
  const mayWrite = useMay('write')
  const duplicate = useDuplicate(flow, handlers)
  const hasWebhook = flow.nodes.some(({ type }) => type === 'webhook')
  const copyEndpoint = async () => {
    const isCopied = await copyText(api.address(`webhook/${flow.slug}`))
    if (isCopied) notifyDone('The endpoint was copied.')
  }
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <ActionIcon aria-label={`Actions for ${flow.name}`}>
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconTopologyStar3 size={16} />}
          onClick={() => void navigate(`/flows/${flow.id}`)}
        >
          Open the canvas
        </Menu.Item>
        <Menu.Item
          leftSection={<IconMessages size={16} />}
          onClick={() => void navigate(`/flows/${flow.id}/playground`)}
        >
          Playground
        </Menu.Item>
        <Menu.Item
          leftSection={<IconListDetails size={16} />}
          onClick={() => void navigate(`/flows/${flow.id}/runs`)}
        >
          Runs
        </Menu.Item>
        <Menu.Divider />
        {hasWebhook && (
          <Menu.Item leftSection={<IconLink size={16} />} onClick={() => void copyEndpoint()}>
            Copy the endpoint
          </Menu.Item>
        )}
        <Menu.Item
          leftSection={<IconFileExport size={16} />}
          onClick={() => saveFile(`${flow.slug}.json`, exportedText(flow))}
        >
          Export the document
        </Menu.Item>
        {mayWrite && (
          <>
            <Menu.Item leftSection={<IconCopy size={16} />} onClick={duplicate}>
              Duplicate
            </Menu.Item>
            <Menu.Divider />
            <Menu.Item
              leftSection={<IconTag size={16} />}
              onClick={() => onDialog({ kind: 'tags', flows: [flow] })}
            >
              Tags
            </Menu.Item>
            <Menu.Item
              leftSection={<IconFolder size={16} />}
              onClick={() => onDialog({ kind: 'move', flows: [flow] })}
            >
              Move to a context
            </Menu.Item>
            {flow.paused ? (
              <Menu.Item
                leftSection={<IconPlayerPlay size={16} />}
                onClick={() => void handlers.current.actions.resume([flow])}
              >
                Resume
              </Menu.Item>
            ) : (
              <Menu.Item
                leftSection={<IconPlayerPause size={16} />}
                onClick={() => onDialog({ kind: 'pause', flows: [flow] })}
              >
                Pause
              </Menu.Item>
            )}
            <Menu.Divider />
            {/* Without a question beforehand: it can be taken back, and what was accepted still finishes. */}
            <Menu.Item
              c="var(--state-failed)"
              leftSection={<IconTrash size={16} />}
              onClick={() => void handlers.current.actions.remove([flow])}
            >
              Delete
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

function useDuplicate(flow: ListedFlow, handlers: RefObject<RowHandlers>): () => void {
  const create = useCreateFlow()
  return () => {
    create.mutate(copyOf(flow, handlers.current.takenNames), {
      onSuccess: ({ name }) => notifyDone(`“${name}” was created.`),
      onError: notifyProblem
    })
  }
}
