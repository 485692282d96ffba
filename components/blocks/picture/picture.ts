import { Node } from '@tiptap/core'
import { ImagePlus } from 'lucide-react'
import { picture as definition } from '@/lib/blocks/picture/picture.ts'
import { strings } from '@/lib/strings/block-items.ts'
import { toastNotLoaded } from '@/components/ui/toast.ts'
import type { EditorBlock } from '../editor-block.ts'
import { nodeFields } from '../schema-fields.ts'

export const picture: EditorBlock = {
  extension: Node.create(nodeFields(definition)),
  view: () => import('./picture-view.ts'),
  menuItems: [
    {
      name: strings.picture.name,
      words: strings.picture.words,
      Icon: ImagePlus,
      run: (chain) =>
        chain.command(({ view, dispatch }) => {
          if (dispatch)
            import('../../editor/paste/choose-files.ts').then(
              ({ choosePictures }) => choosePictures(view),
              toastNotLoaded,
            )
          return true
        }),
    },
  ],
}
