'use client'

import { LazyComponent } from '@/components/ui/lazy-component.tsx'

interface QrCodeProps {
  /** An absolute address. The shorter it is, the larger are the squares. */
  readonly text: string
  /** The text for people who cannot see the code: "QR code of the address of Outline". */
  readonly label: string
  /** The length of one side in px, with the white border. */
  readonly size?: number
}

/**
 * Dark on white in every theme, because cameras expect that. The encoder is a chunk of its own; its space is reserved until it has loaded.
 */
export function QrCode({ text, label, size = 208 }: QrCodeProps) {
  return (
    <div
      className="shrink-0 overflow-hidden rounded-xl border border-line bg-white"
      style={{ width: size, height: size }}
    >
      <LazyComponent load={loadSquares} props={{ text, label }} />
    </div>
  )
}

const loadSquares = () => import('./qr-squares.tsx')
