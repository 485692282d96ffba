import { DOMSerializer, type Fragment } from '@tiptap/pm/model'
import { Plugin } from '@tiptap/pm/state'
import type { EditorView } from '@tiptap/pm/view'
import { textBindingOf } from '@/components/binding/text-binding.ts'
import { documentIdOf } from '@/components/open-documents.ts'

/** Writes into copied HTML which document has the files in it, so that another one can take them over when it is pasted there. */
export function nameSourceOfFiles(): Plugin {
  const serializer = new FileSourceSerializer({}, {})
  return new Plugin({
    view(view) {
      serializer.view = view
      return {}
    },
    props: { clipboardSerializer: serializer },
  })
}

class FileSourceSerializer extends DOMSerializer {
  view: EditorView | null = null

  override serializeFragment(
    fragment: Fragment,
    options?: { document?: Document },
    target?: HTMLElement | DocumentFragment,
  ): HTMLElement | DocumentFragment {
    const { schema } = fragment.firstChild?.type ?? this.view!.state
    const drawn = DOMSerializer.fromSchema(schema).serializeFragment(fragment, options, target)
    const source = documentIdOf(this.view && textBindingOf(this.view.state)?.text.doc)
    if (source !== '')
      for (const element of drawn.querySelectorAll<HTMLElement>('[data-picture], [data-file]'))
        element.dataset.sourceDocument = source
    return drawn
  }
}
