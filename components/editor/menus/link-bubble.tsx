'use client'

import { useEditorState, type Editor } from '@tiptap/react'
import { BubbleMenu } from '@tiptap/react/menus'
import { ExternalLink, Pencil, SquareArrowOutUpRight } from 'lucide-react'
import { useEffect } from 'react'
import { buttonClass } from '@/components/ui/button.tsx'
import { readPositionLink } from '@/lib/following/position-link.ts'
import { safeHref } from '@/lib/text/link-address.ts'
import {
  insertLinkCard,
  isBehindLoneLink,
  loneAddressIn,
} from '@/components/blocks/link-card/link-card-commands.ts'
import { runAsStep } from '@/components/binding/run-as-step.ts'
import { positionLinkStrings } from '@/lib/strings/position-link.ts'
import { editorFormsStrings } from '@/lib/strings/editor-forms.ts'
import { linkCardStrings } from '@/lib/strings/link-card.ts'

const pluginKey = 'linkBubble'

const addressClass = 'flex min-h-8 min-w-0 items-center gap-1.5 rounded-md px-2 text-accent hover:bg-sunk'

export interface LinkBubbleProps {
  readonly editor: Editor
  readonly document: string
  readonly onEdit: () => void
}

/** Shows where the link under the caret leads. */
export default function LinkBubble({ editor, document, onEdit }: LinkBubbleProps) {
  const href = useEditorState({
    editor,
    selector: ({ editor: now }) =>
      safeHref(now.getAttributes('link').href) ?? safeHref(loneAddressIn(now.state)),
  })
  const isLone = useEditorState({ editor, selector: ({ editor: now }) => loneAddressIn(now.state) !== '' })
  // The bubble was positioned before it contained this address, and is wider now.
  useEffect(() => {
    if (href) editor.view.dispatch(editor.state.tr.setMeta(pluginKey, 'updatePosition'))
  }, [editor, href])
  return (
    <BubbleMenu
      editor={editor}
      pluginKey={pluginKey}
      shouldShow={({ editor: now }) =>
        now.state.selection.empty && (now.isActive('link') || isBehindLoneLink(now.state))
      }
      options={{ placement: 'bottom-start', offset: 6, flip: true, shift: { padding: 8 } }}
      className="absolute top-0 left-0 z-30 flex w-max max-w-[min(22rem,calc(100vw-2rem))] items-center gap-1 rounded-lg border border-line bg-raised p-1 text-sm shadow-float"
      data-screen-only
    >
      {href ? (
        <LinkAddress href={href} document={document} />
      ) : (
        <p className="px-2 text-muted">{editorFormsStrings.linkBubble.unsafe}</p>
      )}
      {editor.isEditable && isLone && (
        <button
          type="button"
          onClick={() => runAsStep(editor, () => editor.chain().focus().command(insertLinkCard).run())}
          className={buttonClass({ look: 'quiet', shape: 'small' })}
        >
          <SquareArrowOutUpRight size={14} aria-hidden /> {linkCardStrings.show}
        </button>
      )}
      {editor.isEditable && (
        <button type="button" onClick={onEdit} className={buttonClass({ look: 'quiet', shape: 'small' })}>
          <Pencil size={14} aria-hidden /> {editorFormsStrings.linkBubble.edit}
        </button>
      )}
    </BubbleMenu>
  )
}

function LinkAddress({ href, document }: { href: string; document: string }) {
  const link = readPositionLink(href, document, location.origin)
  if (link)
    return (
      <a href={href} className={addressClass}>
        <span className="truncate">{positionLinkStrings.goTo(link.heading)}</span>
      </a>
    )
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow" className={addressClass}>
      <span className="truncate">{href}</span>
      <ExternalLink size={14} aria-hidden className="shrink-0" />
      <span className="sr-only">{editorFormsStrings.linkBubble.opensInNewTab}</span>
    </a>
  )
}
