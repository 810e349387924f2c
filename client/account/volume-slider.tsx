import { useLingui } from '@lingui/react/macro'
import { Slider } from '../ui/slider.tsx'
import { setVolume, useVolume } from '../base/volume.ts'

/** Loudness of the notification sounds, with its figure. */
export function VolumeSlider() {
  const { t, i18n } = useLingui()
  const volume = useVolume()
  return (
    <>
      <Slider
        aria-label={t`Volume dos avisos`}
        min={0}
        max={1}
        step={0.1}
        value={[volume]}
        onValueChange={([next]) => setVolume(next ?? 0)}
      />
      <span aria-hidden="true" className="w-9 shrink-0 text-right text-xs text-muted-foreground tabular-nums">
        {i18n.number(volume, { style: 'percent' })}
      </span>
    </>
  )
}
