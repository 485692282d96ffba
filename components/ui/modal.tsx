'use client'

import { Dialog } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import type { ReactNode, RefObject } from 'react'
import { buttonClass } from './button.tsx'
import { commonStrings } from '@/lib/strings/common.ts'

interface ModalProps {
  readonly title: string
  readonly description?: ReactNode
  readonly children: ReactNode
  /** What gets the focus first; by default the first element that can. */
  readonly initialFocus?: RefObject<HTMLElement | null>
  /** What gets it back; by default what had it before. */
  readonly finalFocus?: RefObject<HTMLElement | null>
  /** Makes room for two columns. */
  readonly wide?: boolean
}

/** The popup of a `Dialog.Root`: a card in the middle, or the full width of a phone. */
export function Modal({ title, description, children, initialFocus, finalFocus, wide = false }: ModalProps) {
  return (
    <Dialog.Portal>
      <Dialog.Backdrop className="fixed inset-0 z-40 bg-black/30 transition-opacity duration-100 data-ending-style:opacity-0 data-starting-style:opacity-0 dark:bg-black/55" />
      <Dialog.Viewport className="fixed inset-0 z-50 grid place-items-end overflow-hidden sm:place-items-center sm:p-6">
        <Dialog.Popup
          {...(initialFocus && { initialFocus })}
          {...(finalFocus && { finalFocus })}
          className={`popup-motion flex max-h-[92dvh] w-full flex-col rounded-t-2xl border border-line bg-raised shadow-float outline-none sm:max-w-lg sm:rounded-2xl ${wide ? 'lg:max-w-4xl' : ''}`}
        >
          <div className="flex items-start gap-3 px-5 pt-4 pb-2">
            <div className="min-w-0 flex-1">
              <Dialog.Title className="text-lg font-semibold tracking-tight">{title}</Dialog.Title>
              {description && (
                <Dialog.Description className="mt-0.5 text-sm text-muted">{description}</Dialog.Description>
              )}
            </div>
            <Dialog.Close
              className={`${buttonClass({ look: 'quiet', shape: 'icon' })} -mr-2`}
              aria-label={commonStrings.close}
            >
              <X size={18} aria-hidden />
            </Dialog.Close>
          </div>
          <div className="overflow-y-auto overscroll-contain px-5 pt-1 pb-5">{children}</div>
        </Dialog.Popup>
      </Dialog.Viewport>
    </Dialog.Portal>
  )
}
