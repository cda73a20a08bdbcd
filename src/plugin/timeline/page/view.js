/* SPDX-License-Identifier: MIT */
/* What is looked at: the part of time, the lanes, what is searched and chosen. */

const AXIS = 28;
const SPAN_MIN = 20;
const MARGIN = .01;

const view = {
	from: -span * MARGIN,
	to: span * (1 + MARGIN),
	top: 0,
	width: 0,
	height: 0,
	labels: 250,
	isCompact: false,
	isByPid: false,
	showsSilent: false,
	query: "",
	/* Rows from top to bottom: {process} or {thread}, with y and height. */
	rows: [],
	rowsHeight: 0,
	found: 0,
	/* {thread, time, x, y}: under the pointer, or by keys. */
	hover: null,
	chosen: null,
	cursor: null,
	/* {from, to}: of a range that is being chosen. */
	range: null,
};

const lanesEnd = () => view.width - 14;
const scale = () => (lanesEnd() - view.labels) / (view.to - view.from);
const xOf = (time) => view.labels + (time - view.from) * scale();
const timeOf = (x) => view.from + (x - view.labels) / scale();

const threadHeight = () => view.isCompact ? 17 : 34;
const processHeight = () => view.isCompact ? 20 : 26;

function matchesThread(thread, query) {
	return thread.words.some((word) => word.includes(query)) ||
		String(thread.tid) === query || String(thread.pid) === query;
}

function isShown(thread) {
	if (thread.isSilent && !view.showsSilent)
		return false;
	return !view.query || matchesThread(thread, view.query);
}

function layOut() {
	let y = 0;

	view.rows = [];
	view.found = 0;
	for (const process of view.isByPid ? processes : busiest) {
		const shown = process.threads.filter(isShown);

		view.found += shown.length;
		if (shown.length === 0)
			continue;
		/* Who is alone needs no heading. */
		if (shown.length === 1) {
			view.rows.push({ thread: shown[0], isAlone: true, y,
				height: threadHeight() });
			y += threadHeight();
			continue;
		}
		view.rows.push({ process, shown, y, height: processHeight() });
		y += processHeight();
		if (process.isFolded && !view.query)
			continue;
		for (const thread of shown) {
			view.rows.push({ thread, y, height: threadHeight() });
			y += threadHeight();
		}
	}
	view.rowsHeight = y + 8;
	limitTop();
}

function limitTop() {
	view.top = Math.max(0, Math.min(view.top,
		view.rowsHeight - (view.height - AXIS)));
}

function rowAt(y) {
	if (y < AXIS)
		return null;
	const place = placeOf(view.rows, y - AXIS + view.top, (row) => row.y);
	const row = view.rows[place];

	return row && y - AXIS + view.top < row.y + row.height ? row : null;
}

function rowOf(thread) {
	return view.rows.find((row) => row.thread === thread);
}

function look(from, to) {
	const most = span * (1 + 4 * MARGIN);
	let width = Math.max(SPAN_MIN, Math.min(to - from, most));

	/* About the middle of what was asked. */
	from = (from + to - width) / 2;
	from = Math.max(-span * 2 * MARGIN,
		Math.min(from, span * (1 + 2 * MARGIN) - width));
	view.from = from;
	view.to = from + width;
	redraw();
}

function zoom(factor, time) {
	look(time - (time - view.from) * factor,
		time + (view.to - time) * factor);
}

function pan(part) {
	const step = (view.to - view.from) * part;

	/* Not `look`: at the ends, the width would change. */
	look(view.from + step, view.to + step);
}

function fit() {
	look(-span * MARGIN, span * (1 + MARGIN));
}

function scrollTo(thread) {
	const row = rowOf(thread);
	const visible = view.height - AXIS;

	if (!row)
		return;
	if (row.y < view.top)
		view.top = row.y - processHeight();
	else if (row.y + row.height > view.top + visible)
		view.top = row.y + row.height - visible;
	limitTop();
	redraw();
}

function search(text) {
	view.query = text.trim().toLowerCase();
	layOut();
	redraw();
}

/* Times as people read them */

const UNITS = [[1e9, "s"], [1e6, "ms"], [1e3, "µs"], [1, "ns"]];

/* Exact: all digits that there are. */
function duration(ns) {
	const [unit, name] = UNITS.find(([size]) => ns >= size) || UNITS[3];
	const digits = Math.round(Math.log10(unit));

	if (digits === 0)
		return `${Math.round(ns)} ns`;
	const whole = Math.floor(ns / unit);
	const rest = String(Math.round(ns - whole * unit)).padStart(digits, "0");
	return `${whole}.${rest} ${name}`.replace(/\.?0+ /, " ");
}

function momentOf(time) {
	const ns = base + BigInt(Math.round(time));
	const second = 1000000000n;
	const rest = ((ns % second) + second) % second;

	return [new Date(Number((ns - rest) / 1000000n)), rest];
}

const two = (number) => String(number).padStart(2, "0");

/* As babeltrace2 prints it, where this is read. */
function clockTime(time) {
	const [date, rest] = momentOf(time);

	return `${two(date.getHours())}:${two(date.getMinutes())}:` +
		`${two(date.getSeconds())}.${String(rest).padStart(9, "0")}`;
}

function calendarDay(time) {
	const [date] = momentOf(time);

	return `${date.getFullYear()}-${two(date.getMonth() + 1)}-` +
		two(date.getDate());
}

/* A time of the axis, with no more digits than its steps have. */
function axisTime(time, step) {
	const [unit, name] = UNITS.find(([size]) =>
		Math.max(step, view.to) >= size) || UNITS[3];
	const digits = Math.max(0, Math.ceil(Math.log10(unit / step) - 1e-9));

	return `${(time / unit).toFixed(digits)} ${name}`;
}
