/** Stops the binding before it sees a part that the schema does not know: it then takes over no change and writes none. */
import { Extension } from '@tiptap/core'
import type { TextFitWatch } from './text-fit.ts'
import { ignoreChanges, yTiptapBindingOf } from './y-tiptap-binding.ts'

export const SchemaGuard = Extension.create<{ fit: Pick<TextFitWatch, 'get' | 'subscribe'> }>({
  name: 'knownParts',
  addOptions: () => ({ fit: { get: () => ({ fits: true }), subscribe: () => () => {} } }),
  // Not onCreate, which runs a turn later.
  onBeforeCreate() {
    const { editor } = this
    const { fit } = this.options
    const stopIfUnfit = () => {
      if (!fit.get().fits) yTiptapBindingOf(editor.state).mux = ignoreChanges
    }
    editor.on('destroy', fit.subscribe(stopIfUnfit))
  },
})
