"""`seat-request.js`: the sheet of another phone's request for a seat."""

from playwright.sync_api import Page


def test_a_request_that_ends_closes_its_own_sheet_and_no_other(module_page: Page) -> None:
    script = """async () => {
        const { seatRequestAt } = await import('/static/clocks/phone/seat-request.js');
        let closed = 0;
        const sheet = document.createElement('div');
        document.body.append(sheet);
        const show = (title, ...parts) => sheet.replaceChildren(title, ...parts);
        const clock = {
            match: { names: ['Ann', 'Bob'], format: 'singles' },
            now: () => 1000,
            showSheet: ({ title, parts }) => show(title, ...parts),
            closeSheets: () => { closed += 1; },
        };
        const request = seatRequestAt(clock);
        const told = [];
        for (const other of [false, true]) {
            request.receive({ asks: [{ id: 7, seats: ['left'], at: 0, until: 30_000 }] });
            request.element.querySelector('button').click();
            told.push(sheet.textContent.slice(0, 29));
            if (other) show('The game is over');
            request.receive({ asks: [] });
            told.push(closed);
        }
        return told;
    }"""
    asked = "Another phone wants this seat"
    assert module_page.evaluate(script) == [asked, 1, asked, 1]
