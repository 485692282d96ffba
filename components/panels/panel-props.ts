/** The props of every panel. A panel does not know whether it is docked beside the text or alone in a window. */
import type { OpenedDocumentProps } from '@/components/opening/opened-document.ts'

export interface PanelProps extends Omit<OpenedDocumentProps, 'id' | 'reopen'> {
  readonly document: string
  readonly docked: boolean
}
