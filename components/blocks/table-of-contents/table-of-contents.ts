import { InputRule, Node } from '@tiptap/core'
import { TableOfContents } from 'lucide-react'
import { tableOfContents as definition } from '@/lib/blocks/table-of-contents/table-of-contents.ts'
import { blockItemsStrings } from '@/lib/strings/block-items.ts'
import type { EditorBlock } from '../editor-block.ts'
import { nodeFields } from '../schema-fields.ts'
import { insertContents } from './insert-contents.ts'

const extension = Node.create({
  ...nodeFields(definition),
  addInputRules() {
    return [
      new InputRule({
        find: /^\[TOC\]\s$/i,
        handler({ chain, range }) {
          chain().deleteRange(range).command(insertContents).run()
        },
      }),
    ]
  },
})

export const tableOfContents: EditorBlock = {
  extension,
  view: () => import('./table-of-contents-view.ts'),
  menuItems: [
    {
      name: blockItemsStrings.tableOfContents.name,
      words: blockItemsStrings.tableOfContents.words,
      Icon: TableOfContents,
      run: (chain) => chain.command(insertContents),
    },
  ],
}
