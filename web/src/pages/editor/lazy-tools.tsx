import { useQuery } from '@tanstack/react-query'
import { type ComponentType, createContext, memo, type ReactNode, use } from 'react'
import type { Pin } from '../../api/pins.ts'
import type { Node, Point } from '../../editor/graph/flow.ts'
import { PartNotLoaded } from '../part-not-loaded.ts'
import type { AskedFor } from './asked-for.ts'
import type { Editor, ViewedVersion } from './editor-context.ts'
import type { RegionViewProps } from './geometry/canvas-parts.ts'
import type { DrawnNode } from './geometry/drawn-nodes.ts'
import type { AutosaveParts, OpenAutosave } from './save/open-autosave.ts'
import type { PublishDraft } from './save/publish-draft.ts'
import type { Place } from './session/node-menu-context.ts'
import type { QuickAddRequest } from './session/quick-add-context.ts'
import type { BeginTest, TestParts } from './session/testing-context.ts'

/** What editor-tools.tsx has: the parts of the editor around its canvas. */
interface EditorTools {
  readonly AddressMark: ComponentType<{ readonly node: Node }>
  readonly CanvasHints: ComponentType
  readonly DisabledMark: ComponentType<{ readonly drawn: DrawnNode }>
  readonly EditorBelow: ComponentType
  readonly EditorKeys: ComponentType
  readonly EditorSide: ComponentType
  readonly EmptyCanvas: ComponentType
  readonly FlowMap: ComponentType
  readonly FollowRun: ComponentType
  readonly VersionRoom: ComponentType<{ readonly viewed: ViewedVersion }>
  readonly MainFields: ComponentType<{
    readonly drawn: DrawnNode
    readonly hasNews: boolean
    readonly children: ReactNode
  }>
  readonly NodeMenu: ComponentType<{
    readonly node: string
    readonly beside: Place
    readonly onClose: () => void
  }>
  readonly Palette: ComponentType
  readonly PaletteDrop: ComponentType
  readonly PauseNote: ComponentType<{ readonly flowId: string; readonly isBar?: boolean }>
  readonly PayloadPanel: ComponentType
  readonly PinMark: ComponentType<{ readonly node: Node; readonly pin: Pin }>
  readonly PlaygroundDock: ComponentType
  readonly ProblemMark: ComponentType<{ readonly drawn: DrawnNode }>
  readonly QuickAdd: ComponentType<{
    readonly request: QuickAddRequest
    readonly onClose: () => void
  }>
  readonly RegionView: ComponentType<RegionViewProps>
  readonly TakenMark: ComponentType
  readonly Toolbar: ComponentType
  readonly TriggerMark: ComponentType<{ readonly node: string }>
  readonly WireRules: ComponentType
  readonly WireCard: ComponentType<{
    readonly wire: string
    readonly at: Point
    readonly onMouseEnter: () => void
    readonly onMouseLeave: () => void
    readonly onClose: () => void
  }>
  readonly openAutosave: (parts: AutosaveParts) => OpenAutosave
  readonly publishDraft: PublishDraft
  readonly beginTest: BeginTest
  readonly landedRun: typeof import('../../api/landed-run.ts').landedRun
  readonly runsSince: typeof import('../../api/landed-run.ts').runsSince
  readonly savedAddress: (parts: TestParts) => Promise<string>
  readonly showPublish: (editor: Editor) => void
  readonly showAssistant: (editor: Editor, asked: AskedFor) => void
}

/** Loads them. Handed in, as some of them use the ones below. */
export const LoadToolsContext = createContext<() => Promise<EditorTools>>(() =>
  Promise.reject(new Error('no tools'))
)

/*
 * They are loaded when they are first drawn: on a slow connection the graph is there seconds before them. They come all at
 * once; until then each draws what stands in its place.
 */
export const AddressMark = lazily((tools) => tools.AddressMark)
export const CanvasHints = lazily((tools) => tools.CanvasHints)
export const DisabledMark = lazily((tools) => tools.DisabledMark)
export const EditorBelow = lazily((tools) => tools.EditorBelow)
export const EditorKeys = lazily((tools) => tools.EditorKeys)
export const EditorSide = lazily((tools) => tools.EditorSide)
export const EmptyCanvas = lazily((tools) => tools.EmptyCanvas)
export const FlowMap = lazily((tools) => tools.FlowMap)
export const FollowRun = lazily((tools) => tools.FollowRun)
export const VersionRoom = lazily((tools) => tools.VersionRoom)
export const MainFields = lazily((tools) => tools.MainFields)
export const NodeMenu = lazily((tools) => tools.NodeMenu)
export const Palette = lazily((tools) => tools.Palette)
export const PaletteDrop = lazily((tools) => tools.PaletteDrop)
export const PauseNote = lazily((tools) => tools.PauseNote)
export const PayloadPanel = lazily((tools) => tools.PayloadPanel)
export const PinMark = lazily((tools) => tools.PinMark)
export const PlaygroundDock = lazily((tools) => tools.PlaygroundDock)
export const ProblemMark = lazily((tools) => tools.ProblemMark)
export const QuickAdd = lazily((tools) => tools.QuickAdd)
export const RegionView = lazily((tools) => tools.RegionView)
export const TakenMark = lazily((tools) => tools.TakenMark)
export const Toolbar = lazily((tools) => tools.Toolbar)
export const TriggerMark = lazily((tools) => tools.TriggerMark)
export const WireRules = lazily((tools) => tools.WireRules)
export const WireCard = lazily((tools) => tools.WireCard)

/** What is inside is drawn when all of them are there. */
export function WithTools({
  fallback,
  children
}: {
  readonly fallback: ReactNode
  readonly children: ReactNode
}) {
  return useTools() === undefined ? fallback : children
}

function lazily<Props extends object>(choose: (tools: EditorTools) => ComponentType<Props>) {
  // Each knows by itself when it has changed: whoever stands around it is drawn again more often.
  return memo(function Lazy({ fallback = null, ...props }: Props & { readonly fallback?: ReactNode }) {
    const tools = useTools()
    if (tools === undefined) return fallback
    const Part = choose(tools) as ComponentType<object>
    return <Part {...props} />
  })
}

/** Not by React's lazy: that one reveals one part after the other, up to 0.3 seconds apart. */
function useTools(): EditorTools | undefined {
  const load = use(LoadToolsContext)
  const { data } = useQuery({
    queryKey: ['editor-tools'],
    queryFn: async () => {
      try {
        return await load()
      } catch (cause) {
        throw new PartNotLoaded(cause)
      }
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
    throwOnError: true
  })
  return data
}
