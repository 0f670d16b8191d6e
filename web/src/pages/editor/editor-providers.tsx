import { ReactFlowProvider } from '@xyflow/react'
import { useMemo, useRef, useState } from 'react'
import { MakeConnectionProvider } from './connection-choice/make-connection.tsx'
import { EditorContext } from './editor-context.ts'
import { CanvasPointer, PointerContext } from './geometry/canvas-pointer.ts'
import { ScrollContext } from './inspector/use-kept-scroll.ts'
import { QuickAdd } from './lazy-tools.tsx'
import type { EditorSession } from './session/editor-session.ts'
import { type LeftCaret, LeftCaretContext } from './session/left-caret.ts'
import { QuickAddContext, type QuickAddRequest } from './session/quick-add-context.ts'
import { SessionContext } from './session/session-context.ts'

interface EditorProvidersProps {
  readonly session: EditorSession
  readonly children?: React.ReactNode
}

/** Gives everything within one open flow, and a canvas to draw it on. */
export function EditorProviders({ session, children }: EditorProvidersProps) {
  const [pointer] = useState(() => new CanvasPointer())
  const caret = useRef<LeftCaret>(undefined)
  const [scrolled] = useState(() => new Map<string, number>())
  return (
    <SessionContext value={session}>
      <EditorContext value={session}>
        <PointerContext value={pointer}>
          <ReactFlowProvider>
            <QuickAddRoom>
              <MakeConnectionProvider>
                <LeftCaretContext value={caret}>
                  <ScrollContext value={scrolled}>{children}</ScrollContext>
                </LeftCaretContext>
              </MakeConnectionProvider>
            </QuickAddRoom>
          </ReactFlowProvider>
        </PointerContext>
      </EditorContext>
    </SessionContext>
  )
}

function QuickAddRoom({ children }: { readonly children: React.ReactNode }) {
  const [request, setRequest] = useState<QuickAddRequest | undefined>()
  const control = useMemo(() => ({ open: setRequest }), [])
  return (
    <QuickAddContext value={control}>
      {children}
      {request !== undefined && <QuickAdd request={request} onClose={() => setRequest(undefined)} />}
    </QuickAddContext>
  )
}
