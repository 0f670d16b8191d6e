import { ReactFlowProvider } from '@xyflow/react'
import { useMemo, useState } from 'react'
import { CanvasPointer, PointerContext } from './canvas/canvas-pointer.ts'
import { EditorContext } from './editor-context.ts'
import { NodeMenuProvider } from './menu/node-menu.tsx'
import { QuickAdd } from './palette/quick-add.tsx'
import { QuickAddContext, type QuickAddRequest } from './palette/quick-add-context.ts'
import type { EditorSession } from './session/editor-session.ts'
import { SessionContext } from './session/session-context.ts'
import { useAdding } from './session/use-adding.ts'

interface EditorProvidersProps {
  readonly session: EditorSession
  readonly children?: React.ReactNode
}

/** Gives everything within one open flow, and a canvas to draw it on. */
export function EditorProviders({ session, children }: EditorProvidersProps) {
  const [pointer] = useState(() => new CanvasPointer())
  return (
    <SessionContext value={session}>
      <EditorContext value={session}>
        <PointerContext value={pointer}>
          <ReactFlowProvider>
            <QuickAddRoom>
              <NodeMenuProvider>{children}</NodeMenuProvider>
            </QuickAddRoom>
          </ReactFlowProvider>
        </PointerContext>
      </EditorContext>
    </SessionContext>
  )
}

function QuickAddRoom({ children }: { readonly children: React.ReactNode }) {
  const adding = useAdding()
  const [request, setRequest] = useState<QuickAddRequest | undefined>()
  const control = useMemo(() => ({ open: setRequest }), [])
  return (
    <QuickAddContext value={control}>
      {children}
      {request !== undefined && (
        <QuickAdd
          request={request}
          onClose={() => setRequest(undefined)}
          onChoose={(offer) => {
            setRequest(undefined)
            if (request.isInView === true) adding.addInView(offer)
            else if (isWired(request)) adding.addAt(offer, request.screen, request)
            else adding.addNear(offer, request.screen)
          }}
        />
      )}
    </QuickAddContext>
  )
}

function isWired({ handle, into }: QuickAddRequest): boolean {
  return handle !== undefined || into !== undefined
}
