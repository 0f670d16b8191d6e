import type { Editor } from '../editor-context.ts'
import { FlowSettings } from './flow-settings.tsx'

export const FLOW_SETTINGS = 'flow-settings'

export function showFlowSettings(editor: Editor): void {
  editor.showPanel({ id: FLOW_SETTINGS, title: 'Settings of the flow', content: <FlowSettings /> })
}
