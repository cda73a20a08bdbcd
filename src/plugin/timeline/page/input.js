/* SPDX-License-Identifier: MIT */
/* Pointer, wheel and keys; and the tip, which tells the exact times. */

const tip = document.getElementById("tip");
const status = document.getElementById("status");
const input = document.getElementById("search");

function element(kind, text, parent) {
	const made = document.createElement(kind);

	/* Never as HTML: names come from strangers. */
	made.textContent = text;
	parent.append(made);
	return made;
}

/* Whole milliseconds and more are easier seen in both ways. */
function at(time) {
	return base === null ? duration(time) :
		`${clockTime(time)}  (+${duration(time)})`;
}

function nameTold(name) {
	const how = {
		set: "told when it was given",
		inherited: "inherited from its parent",
		seen: "seen in a record",
		later: "told later",
		file: "from a file",
		unknown: "not told",
		between: "seen before; the next one may hold already",
	}[name.source] || name.source;

	return name.isStale ? `${how} (may be stale)` : how;
}

/* The lines about a thread at a time. */
function nameLines(thread, time) {
	const place = namePlace(thread, time);
	const name = thread.names[place];
	const end = nameEnd(thread, place);
	const lines = [["name", nameTold(name)],
		["since", place > 0 || name.hasBegin ? at(name.begin) :
			"before the trace"]];

	if (place + 1 < thread.names.length) {
		/* From its end on it may be the one after that already. */
		const next = goesOn(thread, place + 1) ? place + 2 : place + 1;
		const maybe = next > place + 1 ?
			`maybe ${at(nameEnd(thread, place + 1))}, ` : "";

		lines.push(["until", `${at(end)}, ${maybe}${
			next < thread.names.length ?
				`then ${thread.names[next].text}` : "its end"}`]);
	} else if (end < span)
		lines.push(["until", `${at(end)}, its end`]);
	if (name.more > 0)
		lines.push(["before it", countOf(name.more, "shorter name")]);
	return lines;
}

function turnLines(thread, time) {
	const { turns } = thread;
	const i = placeOf(turns.begins, time);
	const lines = [];

	if (turns.length === 0 || time > thread.end || time < thread.begin)
		return lines;
	if (i >= 0 && time <= turns.ends[i]) {
		const length = turns.ends[i] - turns.begins[i];

		if (turns.counts[i] > 1)
			lines.push(["running", `${countOf(turns.counts[i], "turn")}, ${
				duration(turns.busies[i])} of ${duration(length)}`]);
		else
			lines.push(["running", `for ${duration(length)}`]);
		lines.push(["from", at(turns.begins[i])],
			["to", at(turns.ends[i])]);
		return lines;
	}
	const from = i >= 0 ? turns.ends[i] : thread.begin;
	const to = i + 1 < turns.length ? turns.begins[i + 1] : thread.end;

	lines.push([i >= 0 && turns.preempted[i] ? "made to wait" : "waiting",
		`for ${duration(to - from)}`], ["from", at(from)], ["to", at(to)]);
	return lines;
}

/* The event next to the pointer, not more than some pixels away. */
function eventLines(thread, time) {
	const { seen } = thread;
	const near = 4 / scale();
	let i = placeOf(seen.begins, time);

	if (i + 1 < seen.length && (i < 0 ||
			seen.begins[i + 1] - time < time - seen.ends[i]))
		i++;
	if (i < 0 || i >= seen.length || seen.begins[i] - time > near ||
			time - seen.ends[i] > near)
		return [];
	if (seen.counts[i] === 1)
		return [["event", at(seen.begins[i])]];
	return [[countOf(seen.counts[i], "event"),
		seen.begins[i] === seen.ends[i] ? at(seen.begins[i]) :
			`${at(seen.begins[i])} to ${at(seen.ends[i])}`]];
}

function totalLines(thread) {
	const lines = [["in all", countOf(thread.events, "event")]];

	if (thread.cpu_ns !== undefined)
		lines[0][1] += `, ${duration(thread.cpu_ns)} on a CPU`;
	if (thread.switches !== undefined)
		lines[0][1] += `, ${countOf(thread.switches, "switch", "switches")}`;
	if (thread.preemptions)
		lines[0][1] += ` (${thread.preemptions.toLocaleString("en")} not by choice)`;
	return lines;
}

function idText(thread) {
	const parts = [];

	if (thread.tid !== undefined)
		parts.push(`${thread.virtual ? "vtid" : "tid"} ${thread.tid}`);
	if (thread.pid !== undefined)
		parts.push(`${thread.virtual ? "vpid" : "pid"} ${thread.pid}`);
	if (thread.vtid !== undefined && !thread.virtual)
		parts.push(`vtid ${thread.vtid} in namespace ${thread.ns}`);
	if (thread.host)
		parts.push(thread.host);
	return parts.join(", ");
}

function fillTip(thread, time) {
	const name = thread.names[namePlace(thread, time)];
	const title = document.createElement("h3");
	const list = document.createElement("dl");
	const lines = [["thread", idText(thread)],
		...(base === null ? [] : [["at", at(time)]]),
		...nameLines(thread, time), ...turnLines(thread, time),
		...eventLines(thread, time), ...totalLines(thread)];

	element("i", "", title).style.background = solid[name.number];
	title.append(name.text === "" ? "(empty)" : name.text);
	for (const [key, value] of lines) {
		element("dt", key, list);
		element("dd", value, list);
	}
	tip.replaceChildren(title, list);
}

function placeTip(x, y) {
	const { width, height } = tip.getBoundingClientRect();
	const left = x + 18 + width < view.width ? x + 18 : x - 18 - width;
	const top = y + 18 + height < view.height ? y + 18 : y - 12 - height;

	tip.style.left = `${Math.max(4, left)}px`;
	tip.style.top = `${Math.max(4, top)}px`;
}

function showTip(thread, time, x, y) {
	/* A time has no more digits than nanoseconds. */
	fillTip(thread, Math.round(Math.max(0, Math.min(time, span))));
	tip.hidden = false;
	placeTip(x, y);
}

function hideTip() {
	tip.hidden = true;
}

/* For who does not see the lanes. */
function tell() {
	status.textContent = tip.hidden ? "" :
		tip.innerText.replace(/\s*\n\s*/g, ", ");
}

function hover(x, y) {
	const row = rowAt(y);

	view.cursor = x >= view.labels && x <= lanesEnd() ? timeOf(x) : null;
	canvas.classList.toggle("folding",
		Boolean(row && row.process && x < view.labels));
	if (row && row.thread)
		showTip(row.thread, x < view.labels ?
			labelName(row.thread).begin : timeOf(x), x,
			y);
	else
		hideTip();
	redraw();
}

/* Choosing by keys */

function choose(thread) {
	view.chosen = thread;
	scrollTo(thread);
	showChosen();
}

function showChosen() {
	const row = view.chosen && rowOf(view.chosen);

	if (!row) {
		hideTip();
		redraw();
		return;
	}
	if (view.cursor === null || view.cursor < view.from ||
			view.cursor > view.to)
		view.cursor = (view.from + view.to) / 2;
	showTip(view.chosen, view.cursor, xOf(view.cursor),
		AXIS + row.y - view.top + row.height);
	tell();
	redraw();
}

function chooseNext(step) {
	const rows = view.rows.filter((row) => row.thread);
	const place = rows.findIndex((row) => row.thread === view.chosen);
	const next = rows[place < 0 ? 0 :
		Math.max(0, Math.min(place + step, rows.length - 1))];

	if (next)
		choose(next.thread);
}

/* Shows a name: all of it, with something around. */
function lookAtName(thread, place) {
	const begin = thread.names[place].begin;
	const width = Math.max(nameEnd(thread, place) - begin, SPAN_MIN);

	view.cursor = begin;
	look(begin - width * .25, begin + width * 1.25);
	choose(thread);
}

function nextName(step) {
	if (!view.chosen)
		chooseNext(1);
	if (!view.chosen)
		return;
	const time = view.cursor === null ? 0 : Math.round(view.cursor);
	const place = namePlace(view.chosen, time) + step;

	if (view.chosen.names[place])
		lookAtName(view.chosen, place);
}

/* The name after the chosen one that is searched for; after the last, the first. */
function nextFound() {
	const names = view.rows.filter((row) => row.thread).flatMap(({ thread }) =>
		thread.names.map((name, place) => ({ thread, name, place })))
		.filter(({ name }) => isFound(name));
	const now = names.findIndex(({ thread, name }) =>
		thread === view.chosen && name.begin === view.cursor);
	const next = names[(now + 1) % names.length];

	if (next)
		lookAtName(next.thread, next.place);
	else
		chooseNext(1);
}

/* Buttons */

function toggle(key, id) {
	view[key] = !view[key];
	document.getElementById(id).setAttribute("aria-pressed",
		String(view[key]));
	layOut();
	redraw();
}

function searched() {
	const output = document.getElementById("found");

	search(input.value);
	output.textContent = view.query ? countOf(view.found, "thread") : "";
	output.classList.toggle("none", Boolean(view.query) && view.found === 0);
}

const keys = {
	ArrowLeft: () => pan(-.12),
	ArrowRight: () => pan(.12),
	ArrowUp: () => chooseNext(-1),
	ArrowDown: () => chooseNext(1),
	PageUp: () => scroll(-(view.height - AXIS) * .9),
	PageDown: () => scroll((view.height - AXIS) * .9),
	Home: fit,
	"+": () => zoomByKey(.6),
	"=": () => zoomByKey(.6),
	"-": () => zoomByKey(1 / .6),
	0: fit,
	"[": () => nextName(-1),
	"]": () => nextName(1),
	n: nextFound,
	s: () => document.getElementById("silent").click(),
	p: () => document.getElementById("order").click(),
	c: () => document.getElementById("compact").click(),
	"/": () => input.focus(),
	"?": () => document.getElementById("keys").showModal(),
	Escape: () => {
		view.chosen = null;
		view.cursor = null;
		hideTip();
		redraw();
	},
};

function zoomByKey(factor) {
	const middle = (view.from + view.to) / 2;

	zoom(factor, view.cursor !== null && view.cursor > view.from &&
		view.cursor < view.to ? view.cursor : middle);
}

function scroll(distance) {
	view.top += distance;
	limitTop();
	redraw();
}

function pressed(event) {
	const isText = event.target === input;

	if (event.ctrlKey || event.metaKey || event.altKey ||
			document.getElementById("keys").open)
		return;
	if (isText) {
		if (event.key === "Enter")
			nextFound();
		if (event.key === "Escape") {
			input.value = "";
			searched();
			canvas.focus();
		}
		return;
	}
	if (event.target.tagName === "BUTTON" && event.key === "Enter")
		return;
	if (!Object.hasOwn(keys, event.key))
		return;
	event.preventDefault();
	keys[event.key]();
	if (view.chosen && event.key.startsWith("Arrow"))
		showChosen();
}

/* Wheel and pointer */

const LINE = 16;

function rolled(event) {
	const lines = event.deltaMode === 1 ? LINE : 1;
	const dx = event.deltaX * lines, dy = event.deltaY * lines;

	event.preventDefault();
	if (event.offsetX < view.labels && !event.ctrlKey)
		scroll(dy);
	else if (event.shiftKey || Math.abs(dx) > Math.abs(dy))
		pan((dx || dy) / (lanesEnd() - view.labels));
	else
		zoom(1.0016 ** dy, timeOf(event.offsetX));
	hover(event.offsetX, event.offsetY);
}

/* What the pointer does while it is down: {move, up}. */
let drag = null;

function dragView(event) {
	const start = { x: event.offsetX, y: event.offsetY, from: view.from,
		to: view.to, top: view.top };
	let isMoved = false;

	return {
		move(x, y) {
			const time = (start.x - x) / scale();

			isMoved = isMoved || Math.hypot(x - start.x, y - start.y) > 3;
			if (!isMoved)
				return;
			canvas.classList.add("dragging");
			view.top = start.top + start.y - y;
			limitTop();
			look(start.from + time, start.to + time);
		},
		up() {
			if (!isMoved)
				clicked(start.x, start.y);
		},
	};
}

function dragRange(event) {
	view.range = { from: timeOf(event.offsetX), to: timeOf(event.offsetX) };
	canvas.classList.add("choosing");
	return {
		move(x) {
			view.range.to = timeOf(x);
			redraw();
		},
		up() {
			const { from, to } = view.range;

			view.range = null;
			if (Math.abs(to - from) * scale() > 3)
				look(Math.min(from, to), Math.max(from, to));
			redraw();
		},
	};
}

function clicked(x, y) {
	const row = rowAt(y);

	if (row && row.process) {
		row.process.isFolded = !row.process.isFolded;
		layOut();
	} else {
		view.chosen = row ? row.thread : null;
		if (row)
			tell();
	}
	redraw();
}

function down(event) {
	if (event.button !== 0)
		return;
	canvas.setPointerCapture(event.pointerId);
	drag = event.shiftKey && event.offsetX >= view.labels ?
		dragRange(event) : dragView(event);
}

function moved(event) {
	if (drag) {
		hideTip();
		drag.move(event.offsetX, event.offsetY);
	} else {
		hover(event.offsetX, event.offsetY);
	}
}

function up() {
	if (drag)
		drag.up();
	drag = null;
	canvas.classList.remove("dragging", "choosing");
}

function left() {
	if (drag)
		return;
	view.cursor = null;
	hideTip();
	redraw();
}

function doubleClicked(event) {
	const row = rowAt(event.offsetY);

	if (row && row.thread && event.offsetX >= view.labels)
		lookAtName(row.thread, namePlace(row.thread,
			timeOf(event.offsetX)));
}

/* The middle of the view goes where the overview is pressed. */
function listenToOverview() {
	const go = (event) => {
		const pixels = (lanesEnd() - view.labels) / span;
		const time = (event.offsetX - view.labels) / pixels;
		const half = (view.to - view.from) / 2;

		look(time - half, time + half);
	};

	overview.addEventListener("pointerdown", (event) => {
		overview.setPointerCapture(event.pointerId);
		go(event);
	});
	overview.addEventListener("pointermove", (event) => {
		if (event.buttons & 1)
			go(event);
	});
	overview.addEventListener("wheel", (event) => {
		event.preventDefault();
		zoom(1.0016 ** event.deltaY, (view.from + view.to) / 2);
	}, { passive: false });
}

function listenToScroll() {
	const bar = document.getElementById("scroll");
	const thumb = document.getElementById("thumb");

	bar.addEventListener("pointerdown", (event) => {
		bar.setPointerCapture(event.pointerId);
		thumb.classList.add("dragging");
	});
	bar.addEventListener("pointermove", (event) => {
		if (event.buttons & 1)
			scroll(event.movementY * view.rowsHeight /
				(view.height - AXIS));
	});
	bar.addEventListener("pointerup", () =>
		thumb.classList.remove("dragging"));
}

function listen() {
	const on = (id, act) => document.getElementById(id)
		.addEventListener("click", act);

	on("in", () => zoomByKey(.6));
	on("out", () => zoomByKey(1 / .6));
	on("fit", fit);
	on("help", keys["?"]);
	on("silent", () => toggle("showsSilent", "silent"));
	on("order", () => toggle("isByPid", "order"));
	on("compact", () => toggle("isCompact", "compact"));
	input.addEventListener("input", searched);
	document.addEventListener("keydown", pressed);
	canvas.addEventListener("wheel", rolled, { passive: false });
	canvas.addEventListener("pointerdown", down);
	canvas.addEventListener("pointermove", moved);
	canvas.addEventListener("pointerup", up);
	canvas.addEventListener("pointercancel", up);
	canvas.addEventListener("pointerleave", left);
	canvas.addEventListener("dblclick", doubleClicked);
	listenToOverview();
	listenToScroll();
	new ResizeObserver(resize).observe(document.querySelector("main"));
	matchMedia("(prefers-color-scheme: dark)").addEventListener("change",
		() => {
			readColours();
			redraw();
		});
}
