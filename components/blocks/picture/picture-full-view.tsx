'use client'

import { Dialog } from '@base-ui/react/dialog'
import { X, ZoomIn, ZoomOut } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import type { PopupProps } from '@/components/ui/use-popup.ts'
import { commonStrings } from '@/lib/strings/common.ts'
import { pictureFormsStrings } from '@/lib/strings/picture-forms.ts'

interface PictureFullViewProps {
  readonly src: string
  readonly alt: string
}

/** Factors of the picture's own size. */
const zooms = [0.25, 0.5, 1, 2, 4] as const

/** Null shows the whole picture. */
type Zoom = (typeof zooms)[number] | null

/** The picture alone. + and − zoom, 0 shows all of it, Escape closes. */
export function PictureFullView({
  src,
  alt,
  anchor,
  onOpenChange,
  ...popup
}: PictureFullViewProps & PopupProps) {
  const [zoom, setZoom] = useState<Zoom>(null)
  const [ownWidth, setOwnWidth] = useState(0)
  const zoomBy = (steps: 1 | -1) => {
    const at = zooms.indexOf(zoom ?? 1)
    setZoom(zooms[Math.min(Math.max(at + steps, 0), zooms.length - 1)]!)
  }
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === '+' || key === '=') zoomBy(1)
    if (key === '-') zoomBy(-1)
    if (key === '0') setZoom(null)
  }
  return (
    <Dialog.Root {...popup} onOpenChange={(isOpen) => onOpenChange(isOpen)}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-black/85" />
        <Dialog.Popup
          finalFocus={anchor}
          onKeyDown={onKeyDown}
          className="fixed inset-0 z-50 flex flex-col text-white outline-none"
        >
          <div className="flex items-center gap-1 p-2">
            <Dialog.Title className="min-w-0 flex-1 truncate px-2 text-sm font-medium">
              {pictureFormsStrings.fullView.title(alt)}
            </Dialog.Title>
            <ViewButton label={pictureFormsStrings.fullView.zoomOut} onClick={() => zoomBy(-1)}>
              <ZoomOut size={18} aria-hidden />
            </ViewButton>
            <button
              type="button"
              aria-label={pictureFormsStrings.fullView.fit}
              onClick={() => setZoom(null)}
              className="min-h-9 min-w-16 rounded-lg px-2 text-sm tabular-nums hover:bg-white/15"
            >
              {zoom === null ? pictureFormsStrings.fullView.fit : pictureFormsStrings.fullView.percent(zoom)}
            </button>
            <ViewButton label={pictureFormsStrings.fullView.zoomIn} onClick={() => zoomBy(1)}>
              <ZoomIn size={18} aria-hidden />
            </ViewButton>
            <Dialog.Close
              aria-label={commonStrings.close}
              className="grid size-9 place-items-center rounded-lg hover:bg-white/15"
            >
              <X size={18} aria-hidden />
            </Dialog.Close>
          </div>
          <div tabIndex={zoom === null ? -1 : 0} className="grid min-h-0 flex-1 overflow-auto p-4">
            <img
              src={src}
              alt={alt}
              onLoad={({ currentTarget }) => setOwnWidth(currentTarget.naturalWidth)}
              className={`m-auto ${zoom === null ? 'max-h-full min-h-0 max-w-full object-contain' : 'max-w-none'}`}
              style={zoom === null ? {} : { width: ownWidth * zoom }}
            />
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

const ViewButton = ({
  label,
  onClick,
  children,
}: {
  label: string
  onClick: () => void
  children: ReactNode
}) => (
  <button
    type="button"
    aria-label={label}
    onClick={onClick}
    className="grid size-9 place-items-center rounded-lg hover:bg-white/15"
  >
    {children}
  </button>
)
