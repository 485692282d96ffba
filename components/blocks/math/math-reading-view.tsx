'use client'

import { useEffect, useRef } from 'react'
import { inlineMath, latexOf } from '@/lib/blocks/math/math.ts'
import type { ReadingView } from '../reading-view.ts'

/** Shows the source until the code that draws formulas is there, and where it does not load. */
export const MathReadingView: ReadingView = ({ block, elementRef }) => {
  const shown = useRef<HTMLSpanElement>(null)
  const latex = latexOf(block.attributes)
  const isBlock = block.name !== inlineMath.name
  useEffect(() => {
    let isGone = false
    import('./draw-formula.ts').then(
      ({ drawFormula }) => {
        if (!isGone && shown.current) drawFormula(shown.current, latex, isBlock)
      },
      () => undefined, // the source stands there
    )
    return () => {
      isGone = true
    }
  }, [latex, isBlock])
  const Tag = isBlock ? 'div' : 'span'
  return (
    <Tag ref={elementRef} className="math" data-math={isBlock ? 'block' : 'inline'} dir="ltr">
      {/* React leaves what is drawn in it alone: its children never change. */}
      <span key={latex} ref={shown} className="math-shown math-source">
        {latex}
      </span>
    </Tag>
  )
}
