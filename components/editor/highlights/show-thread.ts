import type { OpenDocument } from '@/lib/client.ts'
import { threadFocusOf } from '@/lib/comments/thread-focus.ts'
import { dispatchPanelCommand } from '@/components/commands/dispatch-panel-command.ts'

/** Shows a thread in the panel, which may have to be opened. */
export function showThread({ doc }: OpenDocument, thread: string): void {
  threadFocusOf(doc).set({ thread })
  dispatchPanelCommand({ panel: 'comments', thread })
}
