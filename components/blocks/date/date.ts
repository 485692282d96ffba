import { type ChainedCommands, Node } from '@tiptap/core'
import { CalendarDays } from 'lucide-react'
import { date as definition, dayFromToday } from '@/lib/blocks/date/date.ts'
import { datesStrings } from '@/lib/strings/dates.ts'
import type { EditorBlock } from '../editor-block.ts'
import { nodeFields } from '../schema-fields.ts'

const insertToday = (chain: ChainedCommands): ChainedCommands =>
  chain.insertContent({ type: definition.name, attrs: { day: dayFromToday(0) } })

export const date: EditorBlock = {
  extension: Node.create(nodeFields(definition)),
  view: () => import('./date-view.ts'),
  menuItems: [{ name: datesStrings.name, words: datesStrings.words, Icon: CalendarDays, run: insertToday }],
}
