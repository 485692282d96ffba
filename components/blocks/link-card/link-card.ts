import { Node } from '@tiptap/core'
import { SquareArrowOutUpRight } from 'lucide-react'
import { linkCard as definition } from '@/lib/blocks/link-card/link-card.ts'
import { blockItemsStrings } from '@/lib/strings/block-items.ts'
import type { EditorBlock } from '../editor-block.ts'
import { nodeFields } from '../schema-fields.ts'
import { insertLinkCard, loneAddressIn } from './link-card-commands.ts'

export const linkCard: EditorBlock = {
  extension: Node.create(nodeFields(definition)),
  view: () => import('./link-card-view.ts'),
  menuItems: [
    {
      name: blockItemsStrings.linkCard.name,
      words: blockItemsStrings.linkCard.words,
      Icon: SquareArrowOutUpRight,
      run: (chain) => chain.command(insertLinkCard),
      takesLine: (selection) => loneAddressIn({ selection }) !== '',
    },
  ],
}
