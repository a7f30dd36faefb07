"""Sounds of the phone, and the preferences that it keeps."""

from playwright.sync_api import Page

# Peak amplitudes of each voice and signal at three volumes, rendered without a speaker.
PEAK = """async () => {
    const { play, tone, knock } = await import('/static/clocks/browser/voices.js');
    const peak = async (signal, voice, volume) => {
        const context = new OfflineAudioContext(1, 48000 * 1.2, 48000);
        play(context, signal, voice, volume);
        const samples = (await context.startRendering()).getChannelData(0);
        return samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
    };
    const found = [];
    for (const voice of [knock, tone]) {
        for (const signal of ['press', 'turn', 'reserve', 'refused', 'alert', 'low', 'flag']) {
            const peaks = [];
            for (const volume of [1, 3, 5]) peaks.push(await peak(signal, voice, volume));
            found.push([voice.name, signal, ...peaks]);
        }
    }
    return found;
}"""


def test_every_sound_is_heard_at_each_volume_and_none_is_cut(module_page: Page) -> None:
    wrong = [
        found for found in module_page.evaluate(PEAK) if not 0.01 < found[2] < 0.1 < found[3] < 0.35 < found[4] < 1
    ]
    assert wrong == []


def test_a_choice_of_the_wrong_type_is_not_taken_from_the_phone(module_page: Page) -> None:
    script = """async () => {
        const { Prefs } = await import('/static/clocks/browser/storage.js');
        const kept = { sound: 'yes', voice: true, volume: '5', vibration: false };
        const prefs = new Prefs({ get: () => kept, set() {} });
        return ['sound', 'voice', 'volume', 'vibration', 'facing'].map((name) => prefs.get(name));
    }"""
    assert module_page.evaluate(script) == [True, "soft", 3, False, True]
